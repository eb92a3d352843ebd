/** Temporary storage for bytes that would be too many for memory. It exists for one run only. */
export interface Scratch {
  /** @returns the place of the bytes, for `get` */
  readonly put: (bytes: Uint8Array) => number
  /** The bytes that `put` stored at this place. */
  readonly get: (place: number) => Uint8Array
}
