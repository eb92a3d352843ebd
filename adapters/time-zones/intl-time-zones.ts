import { boundedMap } from '../../core/collections/bounded-map.ts'
import type { TimeZones } from '../../core/ports/time-zones.ts'

/**
 * The time zones that the runtime brings, in its `Intl`. On Node, the version is that of `process.versions.tz`; other runtimes may not
 * tell it.
 *
 * A name is known if it is one of the IANA database. `Intl` of some runtimes also takes offsets (`+01:00`), and abbreviations that mean one
 * zone out of several (`IST`, `CST`): these are not known here.
 */
export const intlTimeZones = (): TimeZones => {
  // A formatter takes some 50 kB, and 100 µs to make; what it said is small, and the same few moments are asked for
  // again and again: midnights, and those that lead to a change of the clock.
  const formatters = boundedMap<string, Intl.DateTimeFormat>(FORMATTERS_MAX)
  const answers = boundedMap<string, Map<number, number>>(ZONES_MAX)

  const formatterOf = (zone: string): Intl.DateTimeFormat | undefined => {
    const key = zone.toLowerCase() // or each spelling would have its own
    const found = formatters.get(key)
    if (found !== undefined) return found
    const made = isName(key) ? formatterFor(zone) : undefined
    if (made !== undefined) formatters.set(key, made)
    return made
  }
  const answerOf = (zone: string, atMs: number): number | undefined => {
    const known = answers.get(zone) ?? new Map<number, number>()
    const found = known.get(atMs)
    if (found !== undefined) return found
    const offset = offsetBy(formatterOf(zone), atMs)
    if (offset === undefined) return undefined
    if (known.size >= ANSWERS_MAX) known.clear()
    known.set(atMs, offset)
    answers.set(zone, known)
    return offset
  }

  return {
    version: versionOfData(),
    isKnown: (zone) => formatterOf(zone) !== undefined,
    offsetMs: (zone, atMs) => (atMs >= FROM_MS && atMs < TO_MS ? answerOf(zone, atMs) : undefined),
  }
}

const FORMATTERS_MAX = 64
/** Zones, and moments of each: some 3 MB if all are used. */
const ZONES_MAX = 1_024
const ANSWERS_MAX = 64
const FROM_MS = Date.UTC(1800, 0, 1)
const TO_MS = Date.UTC(9999, 11, 31)

/** The names of the IANA database that are one word, and three letters long. `Intl` of V8 knows more than twenty others. */
const THREE_LETTERS = new Set('cet eet est gmt hst met mst prc roc rok uct utc wet'.split(' '))

/** @param key  a name in lower case */
const isName = (key: string): boolean =>
  /^[a-z][a-z0-9_+-]*(?:\/[a-z0-9_+-]+)*$/.test(key) &&
  (key.length !== 3 || THREE_LETTERS.has(key)) &&
  !key.startsWith('systemv/')

const formatterFor = (timeZone: string): Intl.DateTimeFormat | undefined => {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch {
    return undefined // no such zone
  }
}

const offsetBy = (formatter: Intl.DateTimeFormat | undefined, atMs: number): number | undefined => {
  if (formatter === undefined) return undefined
  const second = Math.floor(atMs / 1000) * 1000
  // Such as 3/28/2024, 09:30:00: taking parts from the formatter would take four times as long.
  const [month = NaN, day = NaN, year = NaN, hour = NaN, minute = NaN, seconds = NaN] =
    formatter.format(second).match(/\d+/g)?.map(Number) ?? []
  const offset = Date.UTC(year, month - 1, day, hour % 24, minute, seconds) - second
  return Number.isNaN(offset) ? undefined : offset
}

const versionOfData = (): string => {
  const { process } = globalThis as { readonly process?: { readonly versions?: { readonly tz?: string } } }
  return process?.versions?.tz ?? 'unknown'
}
