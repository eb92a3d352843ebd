import * as t from '../../codec/t.ts'
import type { ExecuteContext } from '../../definition/operation.ts'
import { valueOf } from '../../definition/refuse.ts'
import { isPublicKey } from '../../keys/public-key.ts'
import type { Issued } from '../../organization/issued-key.ts'
import type { User } from '../../organization/users.ts'
import type { Keyring } from '../../ports/keyring.ts'
import { ExpirationSeconds } from '../api-key/api-key-params.ts'
import { credentialBundle, isCredentialBundle } from './credential-bundle.ts'
import { issueKey, nameAt, sessionSeconds, type IssuedKey } from './issued-keys.ts'

/* What all activities have in common that make a key and give it to a client at once, encrypted to a key of the client. */

/** What requests may say of such a key. */
export const bundledKeyMaybe = {
  apiKeyName: t.Label,
  expirationSeconds: ExpirationSeconds,
  invalidateExisting: t.boolean,
}

/** The key that the work has made: its private half is in the bundle alone. */
export const bundledKey = { userId: t.subject(t.string), publicKey: t.string, bundle: t.personal(t.string, '') }
export const BundledKey = t.fields(bundledKey)
export type BundledKey = t.TypeOf<typeof BundledKey>

/** The members of a result that give it. */
export const shownKey = { apiKeyId: t.string, credentialBundle: t.personal(t.string, '') }
/** With the user, by their id. */
export const ShownKey = t.fields({ userId: t.subject(t.string), ...shownKey })

/** Makes the key. @param to  the client's key */
export const makeBundled = async (keyring: Keyring, userId: string, to: string): Promise<BundledKey> => {
  const { publicKey, encrypted } = valueOf(await keyring.issueKey(to)())
  return { userId, publicKey, bundle: credentialBundle(encrypted) }
}

/** Whether it has the form of such a key, and is one of this user. */
export const isBundled = ({ userId, publicKey, bundle }: BundledKey, expected: string): boolean =>
  userId === expected && isPublicKey('CURVE_P256', publicKey) && isCredentialBundle(bundle)

type Wanted = {
  readonly apiKeyName?: string | undefined
  readonly expirationSeconds?: string | undefined
  readonly invalidateExisting?: boolean | undefined
}

/**
 * Gives the key to its user: the change, and the members of the result.
 *
 * @param what  begins its name, if the request gives none
 */
export const issueBundled = (
  user: User,
  { publicKey, bundle }: BundledKey,
  { apiKeyName, expirationSeconds, invalidateExisting }: Wanted,
  { issued, what }: { readonly issued: Issued; readonly what: string },
  context: Pick<ExecuteContext<unknown>, 'ids' | 'atMs' | 'limits'>,
): { readonly change: IssuedKey; readonly shown: { readonly apiKeyId: string; readonly credentialBundle: string } } => {
  const name = apiKeyName ?? nameAt(what, context.atMs)
  const seconds = sessionSeconds(expirationSeconds, undefined, context)
  const change = issueKey(user, { issued, name, publicKey, seconds, invalidateExisting }, context)
  return { change, shown: { apiKeyId: change.apiKey.apiKeyId, credentialBundle: bundle } }
}
