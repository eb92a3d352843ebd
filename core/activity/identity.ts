import type { Digest as WholeDigest } from '../ports/digest.ts'

type Digest = Pick<WholeDigest, 'sha256Hex'>

/** `sha256:` and the lower-case hex SHA-256 of the raw body. Approvers name an activity by it. It has no salt, so it can be guessed. */
export const fingerprintOf = (digest: Digest, body: Uint8Array): string => `sha256:${digest.sha256Hex(body)}`

/**
 * An activity's id: a UUID (version 8) of SHA-256(organization ‖ LF ‖ fingerprint). The same body is therefore the same
 * activity, in every process and after every crash.
 */
export const activityIdOf = (digest: Digest, organization: string, fingerprint: string): string =>
  uuidOfHash(digest.sha256Hex(`${organization}\n${fingerprint}`))

/**
 * The id of a denial: a UUID (version 8) of SHA-256(organization ‖ LF ‖ fingerprint ‖ LF ‖ requester). A denial belongs to the denied
 * user, so that another user may still submit the same body.
 */
export const denialIdOf = (digest: Digest, organization: string, fingerprint: string, requester: string): string =>
  uuidOfHash(digest.sha256Hex(`${organization}\n${fingerprint}\n${requester}`))

/**
 * Ids of the things that an activity creates: UUIDs (version 8) of SHA-256(activity ‖ LF ‖ n), n = 1, 2, … They are not random, so that a
 * second execution gives the same ids, also in an audit.
 */
export const resourceIds = (digest: Digest, activity: string): (() => string) => {
  let n = 0
  return () => {
    n += 1
    return uuidOfHash(digest.sha256Hex(`${activity}\n${n}`))
  }
}

/** The first 16 bytes of a hash, in hex, as a UUID of version 8 (RFC 9562, section 5.8). */
export const uuidOfHash = (hex: string): string => {
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) & 3)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
