import * as t from 'io-ts'
import { canonical, Label } from '../../codec.ts'
import type { ApiKeyCurve as Curve } from '../../organization/organization.ts'
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

/** Whether it is a point on its curve takes longer to find out: that is asked when everything else is in order. */
const PublicKey = canonical(t.string, 'a public key in hexadecimal digits', (text) =>
  text.length <= PUBLIC_KEY_DIGITS_MAX && /^[0-9a-f]+$/i.test(text) ? text.toLowerCase() : undefined,
)
/** Of an uncompressed key, which is then refused by name. */
const PUBLIC_KEY_DIGITS_MAX = 130

/** The form without a curve: always P-256. */
export const ApiKeyParams = fields(
  { apiKeyName: Label, publicKey: PublicKey },
  { expirationSeconds: ExpirationSeconds },
)
export type ApiKeyParams = t.TypeOf<typeof ApiKeyParams>

/** The form with a curve, which the public key is on. */
export const ApiKeyParamsV2 = fields(
  { apiKeyName: Label, publicKey: PublicKey, curveType: ApiKeyCurve },
  { expirationSeconds: ExpirationSeconds },
)
export type ApiKeyParamsV2 = t.TypeOf<typeof ApiKeyParamsV2>

export const toV2 = ({ apiKeyName, publicKey, expirationSeconds }: ApiKeyParams): ApiKeyParamsV2 => ({
  apiKeyName,
  publicKey,
  curveType: 'API_KEY_CURVE_P256',
  ...(expirationSeconds === undefined ? {} : { expirationSeconds }),
})
