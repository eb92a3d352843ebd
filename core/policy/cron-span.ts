import type { TimeZones } from '../ports/time-zones.ts'
import { E } from '../prelude.ts'

/**
 * Spans of time that begin at the local times of a cron expression. Each list is sorted and has each number once. A day matches if it
 * is one of `daysOfMonth` and of `daysOfWeek`; an undefined list stands for `*` and says nothing. If both lists are given, one of them
 * is enough.
 */
export type CronSpan = {
  readonly minutes: readonly number[]
  readonly hours: readonly number[]
  readonly daysOfMonth: readonly number[] | undefined
  /** From 1, January. */
  readonly months: readonly number[]
  /** From 0, Sunday, to 6. */
  readonly daysOfWeek: readonly number[] | undefined
  /** How long each span lasts: more than 0, at most seven days. */
  readonly durationMs: number
  /** The name of the time zone, as the author wrote it. The syntax is right; whether such a zone exists is another question. */
  readonly zone: string
}

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** The longest duration of a span. */
export const SPAN_MS_MAX = 7 * DAY_MS

/**
 * Reads the three arguments of a `CronSpan`: a cron expression of five fields (numbers, ranges, lists and `*`), a duration in whole days,
 * hours and minutes, and the name of a time zone. Steps, names, macros and seconds are not part of the language.
 *
 * @returns left: which argument is wrong, and what was expected there; never the argument itself
 */
export const parseCronSpan = (cron: string, duration: string, zone: string): E.Either<string, CronSpan> => {
  const fields = cron.trim().split(/[ \t]+/)
  if (fields.length !== FIELDS.length) {
    return E.left(`cron: expected five fields: ${FIELDS.map(({ name }) => name).join(', ')}`)
  }
  const lists: (readonly number[] | undefined)[] = []
  for (const [at, field] of FIELDS.entries()) {
    const list = listOf(fields[at] ?? '', field)
    if (E.isLeft(list)) return list
    lists.push(list.right)
  }
  const durationMs = durationOf(duration)
  if (E.isLeft(durationMs)) return durationMs
  if (!ZONE.test(zone)) return E.left('time zone: expected the name of an IANA time zone, for example Europe/Berlin')
  const [minutes, hours, daysOfMonth, months, daysOfWeek] = lists
  return E.right({
    minutes: minutes ?? all(MINUTE),
    hours: hours ?? all(HOUR),
    daysOfMonth,
    months: months ?? all(MONTH),
    daysOfWeek,
    durationMs: durationMs.right,
    zone,
  })
}

/** Whether a name stands for UTC, which is known without any data. */
export const isUtc = (zone: string): boolean => zone.toUpperCase() === 'UTC'

/**
 * Whether a moment is in one of the spans: whether clocks in the zone have shown a time of the cron expression in the last `durationMs`. A
 * local time that clocks skip begins no span. One that they show twice begins a span the first time.
 *
 * Where none of the days around matches, no zone is asked. It looks at eleven local days at most, so an expression that never matches
 * takes no longer than others.
 *
 * @returns undefined if the data of time zones does not have the zone
 */
export const isWithin = (span: CronSpan, atMs: number, zones: Pick<TimeZones, 'offsetMs'>): boolean | undefined => {
  const afterMs = atMs - span.durationMs
  if (!hasDay(span, afterMs - DAY_MS, atMs + DAY_MS)) return false // no clock on earth is further from UTC
  const pieces = isUtc(span.zone)
    ? [{ fromMs: afterMs, toMs: atMs + 1, offsetMs: 0 }]
    : piecesOf(span.zone, afterMs - REPEATED_MS_MAX, atMs + 1, zones)
  if (pieces === undefined) return undefined
  const shown: Range[] = []
  for (const { fromMs, toMs, offsetMs } of pieces) {
    const first = Math.max(fromMs, afterMs + 1) + offsetMs
    for (const range of without({ from: first, to: toMs + offsetMs }, shown)) if (hasFire(span, range)) return true
    shown.push({ from: fromMs + offsetMs, to: toMs + offsetMs })
  }
  return false
}

/** Clocks have gone back by up to a day, where a country changed the side of the date line. */
const REPEATED_MS_MAX = DAY_MS

/** From a time, which belongs to it, to another time, which does not. */
type Range = { readonly from: number; readonly to: number }

/** A time in which the clocks of a zone were not changed. */
type Piece = { readonly fromMs: number; readonly toMs: number; readonly offsetMs: number }

/**
 * The pieces of a time, in order. No zone ever changed its clocks twice in one day, so two midnights of UTC with the same offset have
 * nothing between them. Asking for midnights lets the port remember its answers.
 */
const piecesOf = (
  zone: string,
  fromMs: number,
  toMs: number,
  { offsetMs }: Pick<TimeZones, 'offsetMs'>,
): readonly Piece[] | undefined => {
  const pieces: Piece[] = []
  const firstDay = Math.floor(fromMs / DAY_MS)
  let before = offsetMs(zone, firstDay * DAY_MS)
  let startMs = fromMs
  for (let day = firstDay; day * DAY_MS < toMs; day += 1) {
    const after = offsetMs(zone, (day + 1) * DAY_MS)
    if (before === undefined || after === undefined) return undefined
    if (before === after) continue
    const changeMs = changeIn(day, before, (atMs) => offsetMs(zone, atMs))
    if (changeMs >= toMs) break
    if (changeMs > startMs) pieces.push({ fromMs: startMs, toMs: changeMs, offsetMs: before })
    startMs = Math.max(startMs, changeMs)
    before = after
  }
  return before === undefined ? undefined : [...pieces, { fromMs: startMs, toMs, offsetMs: before }]
}

/** The first second of a day at which the offset is not the one from before. */
const changeIn = (day: number, before: number, offsetAt: (atMs: number) => number | undefined): number => {
  let same = day * 86_400
  let other = same + 86_400
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2)
    if (offsetAt(middle * 1000) === before) same = middle
    else other = middle
  }
  return other * 1000
}

/** The parts of a range that are in none of the others. */
const without = (range: Range, others: readonly Range[]): readonly Range[] =>
  others.reduce<readonly Range[]>(
    (left, { from, to }) =>
      left
        .flatMap((one) => [
          { from: one.from, to: Math.min(one.to, from) },
          { from: Math.max(one.from, to), to: one.to },
        ])
        .filter((one) => one.from < one.to),
    [range],
  )

/** Whether a local time of the cron expression is in a range of local times. */
const hasFire = (span: CronSpan, { from, to }: Range): boolean => {
  const first = Math.ceil(from / MINUTE_MS)
  const end = Math.ceil(to / MINUTE_MS)
  for (let day = Math.floor(first / DAY_MINUTES); day * DAY_MINUTES < end; day += 1) {
    if (!isDayOf(span, day)) continue
    const fire = minuteFrom(span, first - day * DAY_MINUTES)
    if (fire !== undefined && day * DAY_MINUTES + fire < end) return true
  }
  return false
}

/** Whether a day of the cron expression is among those of a time. */
const hasDay = (span: CronSpan, fromMs: number, toMs: number): boolean => {
  const last = Math.floor(toMs / DAY_MS)
  for (let day = Math.floor(fromMs / DAY_MS); day <= last; day += 1) if (isDayOf(span, day)) return true
  return false
}

const DAY_MINUTES = 24 * 60

/** @param day  counted from 1970-01-01, a Thursday */
const isDayOf = ({ daysOfMonth, months, daysOfWeek }: CronSpan, day: number): boolean => {
  const isOfWeek = daysOfWeek?.includes((((day + 4) % 7) + 7) % 7)
  if (daysOfMonth === undefined && months.length === 12) return isOfWeek ?? true // most spans, in a tenth of the time
  const date = new Date(day * DAY_MS)
  if (!months.includes(date.getUTCMonth() + 1)) return false
  const isOfMonth = daysOfMonth?.includes(date.getUTCDate())
  return isOfMonth === undefined || isOfWeek === undefined ? (isOfMonth ?? isOfWeek ?? true) : isOfMonth || isOfWeek
}

/** The first minute of a day, from one on, at which the clock shows a time of the cron expression. */
const minuteFrom = ({ hours, minutes }: CronSpan, from: number): number | undefined => {
  for (const hour of hours) {
    const minute = minutes.find((one) => hour * 60 + one >= from)
    if (minute !== undefined) return hour * 60 + minute
  }
  return undefined
}

type Field = { readonly name: string; readonly min: number; readonly max: number }

const MINUTE: Field = { name: 'minute', min: 0, max: 59 }
const HOUR: Field = { name: 'hour', min: 0, max: 23 }
const MONTH: Field = { name: 'month', min: 1, max: 12 }

const FIELDS: readonly Field[] = [
  MINUTE,
  HOUR,
  { name: 'day of month', min: 1, max: 31 },
  MONTH,
  { name: 'day of week', min: 0, max: 6 },
]

const ZONE = /^(?=.{1,64}$)[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/

/** The numbers of a field; undefined for `*`. */
const listOf = (text: string, { name, min, max }: Field): E.Either<string, readonly number[] | undefined> => {
  if (text === '*') return E.right(undefined)
  const found = new Set<number>()
  for (const item of text.split(',')) {
    const [, first, last = first] = /^(\d{1,2})(?:-(\d{1,2}))?$/.exec(item) ?? []
    const from = Number(first)
    const to = Number(last)
    if (first === undefined || from < min || to > max || to < from) {
      return E.left(`cron: ${name}: expected *, or numbers from ${min} to ${max}, with ranges (1-3) and lists (1,3)`)
    }
    for (let number = from; number <= to; number += 1) found.add(number)
  }
  return E.right([...found].toSorted((a, b) => a - b))
}

const all = ({ min, max }: Field): readonly number[] => Array.from({ length: max - min + 1 }, (_, at) => min + at)

const durationOf = (text: string): E.Either<string, number> => {
  const [whole, days = 0, hours = 0, minutes = 0] = /^(?:(\d{1,5})d)?(?:(\d{1,5})h)?(?:(\d{1,5})m)?$/.exec(text) ?? []
  if (whole === undefined || whole === '') {
    return E.left('duration: expected whole days, hours and minutes, for example 8h, 90m or 1d12h')
  }
  const ms = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * MINUTE_MS
  return ms > 0 && ms <= SPAN_MS_MAX ? E.right(ms) : E.left('duration: expected more than 0 and at most 7 days')
}
