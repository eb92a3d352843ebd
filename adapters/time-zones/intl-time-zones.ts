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
  // A formatter takes some 50 kB, and 100 µs to make. The name is a key in lower case, or spellings would be formatters of their own.
  const formatters = boundedMap<string, Intl.DateTimeFormat>(FORMATTERS_MAX)
  const midnights = boundedMap<string, number>(MIDNIGHTS_MAX)

  const formatterOf = (zone: string): Intl.DateTimeFormat | undefined => {
    const key = zone.toLowerCase()
    const found = formatters.get(key)
    if (found !== undefined) return found
    const made = isName(key) ? formatterFor(zone) : undefined
    if (made !== undefined) formatters.set(key, made)
    return made
  }

  return {
    version: versionOfData(),
    isKnown: (zone) => formatterOf(zone) !== undefined,
    offsetMs: (zone, atMs) => {
      if (!(atMs >= FROM_MS && atMs < TO_MS)) return undefined
      if (atMs % DAY_MS !== 0) return offsetBy(formatterOf(zone), atMs)
      const key = `${zone.toLowerCase()} ${atMs}`
      const found = midnights.get(key)
      if (found !== undefined) return found
      const offset = offsetBy(formatterOf(zone), atMs)
      if (offset !== undefined) midnights.set(key, offset)
      return offset
    },
  }
}

const FORMATTERS_MAX = 64
const MIDNIGHTS_MAX = 8_192
const DAY_MS = 86_400_000
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
  const shown: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {}
  for (const { type, value } of formatter.formatToParts(second)) shown[type] = Number(value)
  const { year = NaN, month = NaN, day = NaN, hour = NaN, minute = NaN, second: seconds = NaN } = shown
  const offset = Date.UTC(year, month - 1, day, hour % 24, minute, seconds) - second
  return Number.isNaN(offset) ? undefined : offset
}

const versionOfData = (): string => {
  const { process } = globalThis as { readonly process?: { readonly versions?: { readonly tz?: string } } }
  return process?.versions?.tz ?? 'unknown'
}
