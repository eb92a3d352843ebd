/** Room for bytes that would be too many for memory. It lasts as long as one run, and nothing that matters is kept there. */
export interface Scratch {
  /** @returns where they are */
  readonly put: (bytes: Uint8Array) => number
  /** The bytes that were put there. */
  readonly get: (place: number) => Uint8Array
}
