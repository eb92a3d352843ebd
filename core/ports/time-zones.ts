/**
 * The time zones of the IANA database, for policies about times of day. Governments change the rules of zones, so the same question gets
 * another answer from other data: `version` says which data answers.
 */
export interface TimeZones {
  /** The version of the data, such as `2025c`; `unknown` if the platform does not tell it. */
  readonly version: string
  /** Whether the data has a zone of this name, in any case: `Europe/Berlin` and `europe/berlin`, but no offset such as `+01:00`. */
  readonly isKnown: (zone: string) => boolean
  /**
   * What has to be added to a time of UTC to get the time that clocks in the zone show.
   *
   * @returns milliseconds; `undefined` if the zone is not known, or the moment is not in the years 1800 to 9999
   */
  readonly offsetMs: (zone: string, atMs: number) => number | undefined
}
