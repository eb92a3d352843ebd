import { E } from '../prelude.ts'

/** A moment, as exact as its text: milliseconds, and the digits of a second behind the third, without zeros at the end. */
export class Instant {
  readonly ms: number
  readonly finer: string
  constructor(ms: number, finer = '') {
    this.ms = ms
    this.finer = finer
  }
}

/** Negative if the first is earlier, positive if it is later, 0 if both are the same moment. */
export const compareInstants = (a: Instant, b: Instant): number => {
  if (a.ms !== b.ms) return a.ms - b.ms
  if (a.finer === b.finer) return 0
  return a.finer < b.finer ? -1 : 1 // both are fractions without zeros at the end, so they are ordered like words
}

/** Reads a moment as RFC 3339 writes it, in UTC. Left says what was expected, and does not repeat the text. */
export const parseInstant = (text: string): E.Either<string, Instant> => {
  const groups = text.length > LENGTH_MAX ? undefined : FORM.exec(text)?.groups
  if (groups === undefined) return E.left("a time like '2026-01-31T09:00:00Z'")
  const { year = '', month = '', day = '', hour = '', minute = '', second = '', fraction = '', offset = '' } = groups
  if (!ZERO_OFFSETS.has(offset)) return E.left('a time in UTC: with Z, z, +00:00 or -00:00 at its end')
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`)
  // Some engines read the 31st of a shorter month, and 24:00, as a time of the next day.
  const isSame = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(`${year}-${month}-${day}T${hour}:`)
  return isSame ? E.right(new Instant(ms, fraction.slice(3).replace(/0+$/, ''))) : E.left('a time that exists')
}

const LENGTH_MAX = 64
const FORM =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)[Tt](?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)(?:\.(?<fraction>\d+))?(?<offset>[Zz]|[+-]\d\d:\d\d)$/
const ZERO_OFFSETS: ReadonlySet<string> = new Set(['Z', 'z', '+00:00', '-00:00'])
