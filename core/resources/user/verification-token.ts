import * as t from '../../codec/t.ts'
import { refuse } from '../../definition/refuse.ts'

/** Says that somebody has proved to receive what is sent to a contact. The empty text counts as left out. */
export const VerificationToken = t.described(t.string, 'refused with UNSUPPORTED, unless it is empty')

/** Refuses a token, because this version has nothing that gives out tokens and could verify one. */
export const refuseToken = (token: string | undefined): void => {
  if (token !== undefined && token !== '') throw refuse('UNSUPPORTED', 'verificationToken is not supported')
}
