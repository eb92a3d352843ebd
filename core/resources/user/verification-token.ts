import * as t from 'io-ts'
import { described } from '../../codec/described.ts'
import { failure, type Failure } from '../../failure.ts'
import { E } from '../../prelude.ts'

/** Says that somebody has proved to receive what is sent to a contact. The empty text counts as left out. */
export const VerificationToken = described(t.string, 'refused with UNSUPPORTED, unless it is empty')

/** Refuses a token, because this version has nothing that gives out tokens and could verify one. */
export const refuseToken = (token: string | undefined): E.Either<Failure, void> =>
  token === undefined || token === ''
    ? E.right(undefined)
    : E.left(failure('UNSUPPORTED', 'verificationToken is not supported'))
