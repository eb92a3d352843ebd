import * as t from 'io-ts'
import { fields } from '../codec/fields.ts'
import type { Curve as SomeCurve } from '../ports/signatures.ts'
import type { DeepReadonly } from './state.ts'

const Curve = t.keyof({
  API_KEY_CURVE_P256: null,
  API_KEY_CURVE_SECP256K1: null,
  API_KEY_CURVE_ED25519: null,
} satisfies Record<SomeCurve, null>)

const ApiKey = fields(
  {
    kind: t.literal('api-key'),
    credentialId: t.string,
    userId: t.string,
    /** The name that the user gave it. */
    label: t.string,
    /** Lower-case hex; compressed for the two Weierstraß curves, 32 bytes for ed25519. */
    publicKey: t.string,
    curve: Curve,
    createdAtMs: t.number,
  },
  {
    /** Lifetime in seconds from `createdAtMs`; without it the key does not expire. */
    expirationSeconds: t.number,
  },
)
export type ApiKey = DeepReadonly<t.TypeOf<typeof ApiKey>>

const Passkey = fields({
  kind: t.literal('passkey'),
  credentialId: t.string,
  userId: t.string,
  /** The name that the user gave it. */
  label: t.string,
  /** The id that the authenticator gave it, and by which stamps name it: base64url without padding. */
  webauthnId: t.string,
  /** The COSE key, in base64url without padding. */
  publicKey: t.string,
  /** SHA-256 of the id of the relying party that it was registered for, in lower-case hex. */
  rpIdHash: t.string,
  /** The model of the authenticator, in lower-case hex; zeros where it does not tell. */
  aaguid: t.string,
  /** The format of the attestation, such as `none` or `packed`. */
  format: t.string,
  transports: t.array(t.string),
  createdAtMs: t.number,
})
export type Passkey = DeepReadonly<t.TypeOf<typeof Passkey>>

/** A means by which a user signs requests: a union by `kind`. */
export const Credential = t.union([ApiKey, Passkey])
export type Credential = ApiKey | Passkey

export const isApiKey = (credential: Credential): credential is ApiKey => credential.kind === 'api-key'
export const isPasskey = (credential: Credential): credential is Passkey => credential.kind === 'passkey'

/** The API keys among a user's credentials. */
export const apiKeysOf = ({ credentials }: WithCredentials): readonly ApiKey[] =>
  [...credentials.values()].filter(isApiKey)

/** The passkeys among a user's credentials. */
export const passkeysOf = ({ credentials }: WithCredentials): readonly Passkey[] =>
  [...credentials.values()].filter(isPasskey)

/** Whether a credential of the user that does not expire, of any kind, is left without these. */
export const keepsLasting = ({ credentials }: WithCredentials, without: readonly string[]): boolean =>
  [...credentials.values()].some(
    (credential) => secondsOf(credential) === undefined && !without.includes(credential.credentialId),
  )

type WithCredentials = { readonly credentials: ReadonlyMap<string, Credential> }

/** When the credential expires, in milliseconds; `Infinity` if it does not expire. */
export const expiresAtMs = (credential: Credential): number => {
  const seconds = secondsOf(credential)
  return seconds === undefined ? Infinity : credential.createdAtMs + seconds * 1000
}

/** Whether the credential is expired at `atMs`. A credential that does not expire is not expired even at `Infinity`. */
export const isExpired = (credential: Credential, atMs: number): boolean =>
  secondsOf(credential) !== undefined && atMs >= expiresAtMs(credential)

const secondsOf = (credential: Credential): number | undefined =>
  isApiKey(credential) ? credential.expirationSeconds : undefined
