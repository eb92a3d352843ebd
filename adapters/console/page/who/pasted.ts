import { decode } from '../../../../core/codec/codec.ts'
import { E } from '../../../../core/prelude.ts'
import { Credentials } from '../../../credentials/credentials-file.ts'
import { texts } from '../texts.ts'

/** Reads a credentials file. What is wrong with it is said without a word of it. */
export const readPasted = (text: string): E.Either<string, Credentials & { readonly organizationId: string }> => {
  const json = parsed(text)
  if (json === undefined) return E.left(texts.signIn.noJson)
  const read = decode(Credentials, 'credentials file')(json)
  if (E.isLeft(read)) return E.left(texts.signIn.noCredentials)
  const { organizationId } = read.right
  return organizationId === undefined
    ? E.left(texts.signIn.noOrganization)
    : E.right({ ...read.right, organizationId: organizationId.toLowerCase() })
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined // its message may quote the text
  }
}
