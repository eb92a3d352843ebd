/** The source of randomness. Ids of the things that activities create are not random: they are derived from the activity. */
export interface Ids {
  /** A fresh event id: a UUID (version 7). Its text grows with time, so that new ids are neighbours in an index. */
  readonly eventId: () => string
  /** A fresh random UUID (version 4), for organizations. */
  readonly uuid: () => string
  /** `length` random bytes. */
  readonly bytes: (length: number) => Uint8Array
}
