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

/** A means by which a user signs requests: a union by `kind`, which has one member now. */
export const Credential = ApiKey
export type Credential = ApiKey

/** When the credential expires, in milliseconds; `Infinity` if it does not expire. */
export const expiresAtMs = ({ createdAtMs, expirationSeconds }: Credential): number =>
  expirationSeconds === undefined ? Infinity : createdAtMs + expirationSeconds * 1000

/** Whether the credential is expired at `atMs`. A credential that does not expire is not expired even at `Infinity`. */
export const isExpired = (credential: Credential, atMs: number): boolean =>
  credential.expirationSeconds !== undefined && atMs >= expiresAtMs(credential)
