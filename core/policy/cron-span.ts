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

/** The longest duration of a span. */
export const SPAN_MS_MAX = 7 * 24 * 60 * 60_000

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
  const ms = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60_000
  return ms > 0 && ms <= SPAN_MS_MAX ? E.right(ms) : E.left('duration: expected more than 0 and at most 7 days')
}
