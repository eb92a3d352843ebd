/** SHA-256, the one hash of the log, of fingerprints and of ids. */
export interface Digest {
  /**
   * The SHA-256 of the bytes (FIPS 180-4).
   *
   * @returns 32 bytes, the caller's own
   */
  readonly sha256: (bytes: Uint8Array) => Uint8Array
  /**
   * The SHA-256 as hex, as the log writes it. A text is hashed as its UTF-8.
   *
   * @returns 64 lower-case hex digits
   */
  readonly sha256Hex: (input: Uint8Array | string) => string
}

/** A SHA-256 over bytes that arrive in pieces. */
export interface RunningDigest {
  /** Adds bytes. The caller may change them afterwards. */
  readonly update: (bytes: Uint8Array) => void
  /**
   * The SHA-256 of all added bytes. Call nothing after it.
   *
   * @returns 32 bytes, the caller's own
   */
  readonly digest: () => Uint8Array
}

/** SHA-256 also of data that is too long for memory: an export of a whole store. */
export interface StreamingDigest extends Digest {
  readonly sha256Stream: () => RunningDigest
}
