import * as t from 'io-ts'
import { canonical, Label, refined } from '../../codec.ts'
import type { ApiKeyCurve as Curve } from '../../organization/organization.ts'
import { isPublicKey } from '../../stamp/public-key.ts'
import { fields } from '../fields.ts'

/** The longest life that a key may be given. The wire states no bound; beyond ten years a key had better not expire. */
export const EXPIRATION_SECONDS_MAX = 10 * 365 * 24 * 60 * 60

export const ApiKeyCurve = t.keyof(
  {
    API_KEY_CURVE_P256: null,
    API_KEY_CURVE_SECP256K1: null,
    API_KEY_CURVE_ED25519: null,
  } satisfies Record<Curve, null>,
  'a curve of API keys',
)

/** Seconds as the wire writes them: in decimal digits, in a string. */
const ExpirationSeconds = canonical(
  t.string,
  'a number of seconds',
  (text) => (/^[1-9][0-9]{0,8}$/.test(text) && Number(text) <= EXPIRATION_SECONDS_MAX ? text : undefined),
  `invalid api key expiration: expected a positive integer up to ${EXPIRATION_SECONDS_MAX}, in a string`,
)

const Hex = canonical(t.string, 'hexadecimal digits', (text) =>
  /^[0-9a-f]+$/i.test(text) ? text.toLowerCase() : undefined,
)

const P256PublicKey = refined(Hex, 'a compressed public key of P-256', (key) => isPublicKey('API_KEY_CURVE_P256', key))

/** The form without a curve: always P-256. */
export const ApiKeyParams = fields(
  { apiKeyName: Label, publicKey: P256PublicKey },
  { expirationSeconds: ExpirationSeconds },
)
export type ApiKeyParams = t.TypeOf<typeof ApiKeyParams>

/** The form with a curve, which the public key is on. */
export const ApiKeyParamsV2 = fields(
  { apiKeyName: Label, publicKey: Hex, curveType: ApiKeyCurve },
  { expirationSeconds: ExpirationSeconds },
  ({ curveType, publicKey }) =>
    isPublicKey(curveType, publicKey)
      ? undefined
      : { member: 'publicKey', expected: 'a compressed public key on its curve' },
)
export type ApiKeyParamsV2 = t.TypeOf<typeof ApiKeyParamsV2>

export const toV2 = ({ apiKeyName, publicKey, expirationSeconds }: ApiKeyParams): ApiKeyParamsV2 => ({
  apiKeyName,
  publicKey,
  curveType: 'API_KEY_CURVE_P256',
  ...(expirationSeconds === undefined ? {} : { expirationSeconds }),
})
