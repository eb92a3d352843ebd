import * as t from 'io-ts'
import { apiKey, type ApiKey } from './api-key.ts'
import { attested, takesAttested, type Attested } from './attested.ts'
import type { CredentialKind, StampKind } from './credential-kind.ts'
import { isBoundToAddresses, maySendTo } from './issued-key.ts'
import { passkey, type Passkey } from './passkey.ts'

export type { ApiKey, Attested, Passkey }

/** The kinds of registered credentials, and of stamps. */
const kinds = { 'api-key': apiKey, passkey }
const stampKinds = { ...kinds, attested }
type Kinds = typeof kinds
type Kind = keyof Kinds
type StampKinds = typeof stampKinds

/** A means by which a user signs requests: a union by `kind`. */
export type Credential = t.TypeOf<Kinds[Kind]['codec']>
/** A caller's signature over a request: parsed, but not verified. */
export type Stamp = Extract<ReturnType<StampKinds[keyof StampKinds]['parse']>, { readonly _tag: 'Right' }>['right']
/** What verifying a stamp needs of its credential. */
export type StampedBy = NonNullable<ReturnType<StampKinds[keyof StampKinds]['keyIn']>>
/** Who sends a request: a registered credential, or a key for which the stamp has brought a token. */
export type Caller = Credential | Attested

type RegisteredStamp = Exclude<Stamp, { readonly kind: 'attested' }>
type RegisteredBy = Exclude<StampedBy, { readonly kind: 'attested' }>

/** The definition of the kind of a credential. Its functions take what is of this kind. */
export const kindOf = ({ kind }: { readonly kind: Kind }): CredentialKind<Credential, RegisteredStamp, RegisteredBy> =>
  kinds[kind] as CredentialKind<Credential, RegisteredStamp, RegisteredBy> // the compiler does not see that the argument has the kind

/** As `kindOf`, of a stamp. */
export const kindOfStamp = ({ kind }: { readonly kind: keyof StampKinds }): StampKind<Stamp, StampedBy> =>
  stampKinds[kind] as StampKind<Stamp, StampedBy>

/** The definition of the kind whose stamps are in the header; `undefined` if this version knows none. */
export const kindIn = (header: string): StampKinds[keyof StampKinds] | undefined =>
  Object.values(stampKinds).find((kind) => kind.header === header)

type Codec = Kinds[Kind]['codec']
export const Credential = t.union(Object.values(kinds).map(({ codec }) => codec) as [Codec, Codec]) // two or more

export const isApiKey = (credential: Caller): credential is ApiKey => credential.kind === 'api-key'
export const isAttested = (caller: Caller): caller is Attested => caller.kind === 'attested'
export const isPasskey = (credential: Credential): credential is Passkey => credential.kind === 'passkey'

/**
 * Whether a credential may send anything to a path. The rules have the last word.
 *
 * @param isBelow  whether that is for an organization below the one that has the credential
 */
export const mayCall = (path: string, caller: Caller, isBelow: boolean): boolean =>
  isAttested(caller) ? takesAttested(path) : !isApiKey(caller) || maySendTo(path, caller, isBelow)

/** Whether the lists of addresses of an organization count for a caller. */
export const isBoundByAddress = (caller: Caller): boolean => !isApiKey(caller) || isBoundToAddresses(caller)

/** The API keys among a user's credentials. */
export const apiKeysOf = ({ credentials }: WithCredentials): readonly ApiKey[] =>
  [...credentials.values()].filter(isApiKey)

/** The passkeys among a user's credentials. */
export const passkeysOf = ({ credentials }: WithCredentials): readonly Passkey[] =>
  [...credentials.values()].filter(isPasskey)

/** Whether something by which the user signs in and that does not expire is left without these: a credential of any kind, or a provider. */
export const keepsLasting = (
  { credentials, oauthProviders }: WithCredentials & { readonly oauthProviders: ReadonlyMap<string, unknown> },
  without: readonly string[],
): boolean =>
  [...oauthProviders.keys()].some((providerId) => !without.includes(providerId)) ||
  [...credentials.values()].some(
    (credential) => !isExpired(credential, Infinity) && !without.includes(credential.credentialId),
  )

type WithCredentials = { readonly credentials: ReadonlyMap<string, Credential> }

type Lived = { readonly createdAtMs: number; readonly expirationSeconds?: number | undefined }

/** When the credential expires, in milliseconds; `Infinity` if it does not expire. */
export const expiresAtMs = ({ createdAtMs, expirationSeconds = Infinity }: Lived): number =>
  createdAtMs + expirationSeconds * 1000

/** Whether the credential is expired at `atMs`. A credential that does not expire is not expired even at `Infinity`. */
export const isExpired = (credential: Lived, atMs: number): boolean =>
  credential.expirationSeconds !== undefined && atMs >= expiresAtMs(credential)
