import type { Json } from '../../../core/failure.ts'
import type { Directory } from './directory.ts'
import { keySigners, passkeySigners, type PasskeySigner, type Signer } from './signers.ts'

const userWith = (userName: string, keys: readonly Signer[], passkeys: readonly PasskeySigner[]) => ({
  userName,
  apiKeys: keys.map(({ publicKey }) => ({ apiKeyName: 'key', publicKey, curveType: 'API_KEY_CURVE_P256' })),
  authenticators: passkeys.map(({ params }) => params),
})

/** The key of the root, which nobody deletes. */
export const root = keySigners[0] as Signer // there are eight

/** What begins the organization: a root with a key and a passkey. */
export const beginning: Json = {
  organizationName: 'simulated',
  rootUsers: [userWith('root', [root], passkeySigners.slice(0, 1))],
  rootQuorumThreshold: 1,
}

/** Somebody who may become a user, with all credentials that they begin with. */
export type Newcomer = { readonly signers: readonly [Signer, ...(readonly Signer[])]; readonly params: Json }

/** Every second has one passkey or two, and no key; the others have a key. */
export const newcomers: readonly Newcomer[] = keySigners.slice(1).map((key, index) => {
  const n = index + 1
  const [first, ...others] = n % 2 === 0 ? [] : passkeySigners.slice(n, n + (n % 4 === 1 ? 2 : 1))
  const user = first === undefined ? userWith(`user ${n}`, [key], []) : userWith(`user ${n}`, [], [first, ...others])
  return { signers: [first ?? key, ...others], params: { ...user, oauthProviders: [], userTags: [] } }
})

/** Whether a credential of this name is registered. */
export const isTaken = (directory: Directory, { name }: Signer): boolean =>
  directory.some(({ signer }) => signer.name === name)

/** The passkeys that can be registered. */
export const freePasskeys = (directory: Directory): readonly PasskeySigner[] =>
  passkeySigners.filter((passkey) => !isTaken(directory, passkey))
