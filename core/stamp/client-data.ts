import { decodeBase64, decodeUtf8, equal } from '../bytes.ts'
import { isObject } from '../codec/codec.ts'
import { parseStrict } from '../json/strict-json.ts'

/** What a browser says of a ceremony: what for, over which challenge, and from where. */
export type ClientData = {
  readonly type: string
  /** The text of the challenge, base64 or base64url of its bytes. */
  readonly challenge: string
  /** Such as `https://app.example.com`. */
  readonly origin: string
  /** Whether the page stood in a frame of another origin. */
  readonly crossOrigin: boolean
  /** The origin of the outermost page, where the browser tells it. */
  readonly topOrigin: string | undefined
}

/**
 * Reads client data: JSON without doubled members. Members that are not named here are ignored, because browsers add some.
 *
 * @returns `undefined` if it is not in the form of the standard
 * @see https://www.w3.org/TR/webauthn-3/#dictdef-collectedclientdata
 */
export const decodeClientData = (bytes: Uint8Array): ClientData | undefined => {
  const parsed = bytes.length <= BYTES_MAX ? parseStrict(bytes) : undefined
  if (parsed?._tag !== 'Right' || !isObject(parsed.right)) return undefined
  const { type, challenge, origin, crossOrigin = false, topOrigin } = parsed.right
  if (typeof type !== 'string' || typeof challenge !== 'string' || typeof origin !== 'string') return undefined
  if (typeof crossOrigin !== 'boolean' || (topOrigin !== undefined && typeof topOrigin !== 'string')) return undefined
  return { type, challenge, origin, crossOrigin, topOrigin }
}

/** Far more than any browser writes. */
const BYTES_MAX = 16_384

/**
 * Whether the challenge is of these bytes. Some phones put it into base64 once more.
 *
 * @param expected  such as the ASCII characters of the hex of a body's SHA-256
 */
export const isChallenge = ({ challenge }: ClientData, expected: Uint8Array): boolean => {
  const once = decodeBase64(challenge)
  if (once === undefined || equal(once, expected)) return once !== undefined
  const twice = decodeBase64(decodeUtf8(once) ?? '-')
  return twice !== undefined && equal(twice, expected)
}

/**
 * Whether the ceremony took place at one of the origins: its page, and the outermost page around it. A frame of another origin has to say in
 * which page it stood.
 *
 * @param origins  undefined for all
 */
export const isFromOrigins = (
  { origin, crossOrigin, topOrigin }: Omit<ClientData, 'type' | 'challenge'>,
  origins: ReadonlySet<string> | undefined,
): boolean => {
  if (origins === undefined) return true
  return origins.has(origin) && (topOrigin === undefined ? !crossOrigin : origins.has(topOrigin))
}
