/** Where randomness comes from. Ids of resources are not among it: they are derived from the activity that makes them. */
export interface Ids {
  /** A fresh event id: a UUID whose text grows with time, so that indexes stay local (version 7). */
  readonly eventId: () => string
  /** A fresh random UUID (version 4), for organizations. */
  readonly uuid: () => string
  /** `length` random bytes. */
  readonly bytes: (length: number) => Uint8Array
}
