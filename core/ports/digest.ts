/** SHA-256, the one hash of the log, of fingerprints and of ids. */
export interface Digest {
  /**
   * The SHA-256 of the bytes (FIPS 180-4).
   *
   * @returns 32 bytes, the caller's own
   */
  readonly sha256: (bytes: Uint8Array) => Uint8Array
  /** The same in lower-case hex, where a platform has it in one step. Without it, the core spells what `sha256` gives. */
  readonly sha256Hex?: (bytes: Uint8Array) => string
}

/** A SHA-256 over bytes that come piece by piece. */
export interface RunningDigest {
  /** Adds bytes. They may change afterwards. */
  readonly update: (bytes: Uint8Array) => void
  /**
   * The SHA-256 of all that was added. It ends the run: nothing may be called after it.
   *
   * @returns 32 bytes, the caller's own
   */
  readonly digest: () => Uint8Array
}

/** SHA-256 also of what is too long to be held at once: an export of a whole store. */
export interface StreamingDigest extends Digest {
  readonly sha256Stream: () => RunningDigest
}
