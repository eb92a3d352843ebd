import * as t from '../../codec/t.ts'
import { ApiKeyCurve } from '../../stamp/scheme.ts'

/** The longest lifetime of a key. The wire has no bound; instead of more than ten years, use a key that does not expire. */
export const EXPIRATION_SECONDS_MAX = 10 * 365 * 24 * 60 * 60

export { ApiKeyCurve }

/** Seconds as the wire writes them: decimal digits in a string. */
export const ExpirationSeconds = t.canonical(
  t.string,
  'a number of seconds',
  (text) => (/^[1-9][0-9]{0,8}$/.test(text) && Number(text) <= EXPIRATION_SECONDS_MAX ? text : undefined),
  `invalid api key expiration: expected a positive integer up to ${EXPIRATION_SECONDS_MAX}, in a string`,
)

/** The form of a public key. Whether it is a point on its curve takes longer to check, so `checkCurves` does that at the end. */
export const PublicKey = t.canonical(t.string, 'a public key in hexadecimal digits', (text) =>
  text.length <= PUBLIC_KEY_DIGITS_MAX && /^[0-9a-f]+$/i.test(text) ? text.toLowerCase() : undefined,
)
/** The digits of an uncompressed key, which is refused later, with a message of its own. */
const PUBLIC_KEY_DIGITS_MAX = 130

/** The older form, without a curve: always P-256. */
export const ApiKeyParams = t.fields(
  { apiKeyName: t.Label, publicKey: PublicKey },
  { expirationSeconds: ExpirationSeconds },
)
export type ApiKeyParams = t.TypeOf<typeof ApiKeyParams>

/** The form with the curve of the public key. */
export const ApiKeyParamsV2 = t.fields(
  { apiKeyName: t.Label, publicKey: PublicKey, curveType: ApiKeyCurve },
  { expirationSeconds: ExpirationSeconds },
)
export type ApiKeyParamsV2 = t.TypeOf<typeof ApiKeyParamsV2>

export const toV2 = (params: ApiKeyParams): ApiKeyParamsV2 => ({ ...params, curveType: 'API_KEY_CURVE_P256' })
