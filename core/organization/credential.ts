import * as t from 'io-ts'
import { apiKey, type ApiKey } from './api-key.ts'
import type { CredentialKind } from './credential-kind.ts'
import { maySendTo } from './issued-key.ts'
import type { AuthenticationType } from './mfa-policies.ts'
import { passkey, type Passkey } from './passkey.ts'

export type { ApiKey, Passkey }

/** The kinds of credentials. */
const kinds = { 'api-key': apiKey, passkey }
type Kinds = typeof kinds
type Kind = keyof Kinds

/** A means by which a user signs requests: a union by `kind`. */
export type Credential = t.TypeOf<Kinds[Kind]['codec']>
/** A caller's signature over a request: parsed, but not verified. */
export type Stamp = Extract<ReturnType<Kinds[Kind]['parse']>, { readonly _tag: 'Right' }>['right']
/** What verifying a stamp needs of its credential. */
export type StampedBy = NonNullable<ReturnType<Kinds[Kind]['keyIn']>>

/** The definition of the kind of a credential or a stamp. Its functions take what is of this kind. */
export const kindOf = ({ kind }: { readonly kind: Kind }): CredentialKind<Credential, Stamp, StampedBy> =>
  kinds[kind] as CredentialKind<Credential, Stamp, StampedBy> // the compiler does not see that the argument has the kind

/** The definition of the kind whose stamps are in the header; `undefined` if this version knows none. */
export const kindIn = (header: string): Kinds[Kind] | undefined =>
  Object.values(kinds).find((kind) => kind.header === header)

/** Whether credentials of some kind meet a step that asks for this type. */
export const isKindOfCredential = (type: AuthenticationType): boolean =>
  Object.values(kinds).some(({ methods }) => methods.includes(type))

type Codec = Kinds[Kind]['codec']
export const Credential = t.union(Object.values(kinds).map(({ codec }) => codec) as [Codec, Codec]) // two or more

export const isApiKey = (credential: Credential): credential is ApiKey => credential.kind === 'api-key'
export const isPasskey = (credential: Credential): credential is Passkey => credential.kind === 'passkey'

/** Whether a credential may send anything to a path. The rules have the last word. */
export const mayCall = (path: string, credential: Credential): boolean =>
  !isApiKey(credential) || maySendTo(path, credential)

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
