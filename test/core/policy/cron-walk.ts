/** What clocks of a zone show, minute by minute, and spans found by walking over them: slow, and written from the definition. */
import type { CronSpan } from '../../../core/policy/cron-span.ts'

/** Two years of minutes, and some days before them, so that spans that began before are known. */
export type Walked = {
  readonly fromMs: number
  /** The first minute of the two years. */
  readonly lead: number
  /** What the clock shows at each minute: minute, hour, day of month, month and weekday. */
  readonly shown: readonly Uint8Array[]
  /** Whether the clock shows a time that it has not shown before. */
  readonly isFirst: Uint8Array
  /** The minutes at which the clock was changed. */
  readonly changes: readonly number[]
}

const LEAD_DAYS = 10

export const walked = (zone: string, year: number): Walked => {
  const fromMs = Date.UTC(year, 0, 1 - LEAD_DAYS)
  const length = (Date.UTC(year + 2, 0, 1) - fromMs) / 60_000
  const shown = Array.from({ length: 5 }, () => new Uint8Array(length))
  const [minutes, hours, days, months, weekdays] = shown as [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array]
  const isFirst = new Uint8Array(length)
  const seen = new Set<string>()
  const changes: number[] = []
  let before = ''
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  for (let at = 0; at < length; at += 1) {
    const text = clock.format(fromMs + at * 60_000) // such as Mon, 01/07/2024, 09:00
    hours[at] = Number(text.slice(-5, -3))
    minutes[at] = Number(text.slice(-2))
    days[at] = Number(text.slice(5, 7))
    months[at] = Number(text.slice(8, 10))
    weekdays[at] = WEEKDAYS.indexOf(text.slice(0, 3))
    isFirst[at] = seen.has(text) ? 0 : 1
    seen.add(text)
    if (at > 0 && !follows(before, text)) changes.push(at)
    before = text
  }
  return { fromMs, lead: LEAD_DAYS * 24 * 60, shown, isFirst, changes: changes.filter((at) => at >= LEAD_DAYS * 1440) }
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** Whether a text shows the minute after that of another. */
const follows = (before: string, after: string): boolean => {
  const minuteOf = (text: string): number =>
    Date.UTC(
      Number(text.slice(11, 15)),
      Number(text.slice(8, 10)) - 1,
      Number(text.slice(5, 7)),
      Number(text.slice(-5, -3)),
      Number(text.slice(-2)),
    )
  return minuteOf(after) - minuteOf(before) === 60_000
}

/** For each minute: 1 if it is in a span. */
export const insideByWalk = ({ shown, isFirst }: Walked, span: CronSpan): Uint8Array => {
  const [minutes, hours, days, months, weekdays] = shown as [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array]
  const [minuteSet, hourSet, monthSet] = [new Set(span.minutes), new Set(span.hours), new Set(span.months)]
  const [daySet, weekdaySet] = [new Set(span.daysOfMonth), new Set(span.daysOfWeek)]
  const isDay = (at: number): boolean => {
    const [day, weekday] = [days[at] ?? 0, weekdays[at] ?? 0]
    if (span.daysOfMonth === undefined) return span.daysOfWeek === undefined || weekdaySet.has(weekday)
    return daySet.has(day) || (span.daysOfWeek !== undefined && weekdaySet.has(weekday))
  }
  const inside = new Uint8Array(isFirst.length)
  let until = 0
  for (let at = 0; at < inside.length; at += 1) {
    if (
      isFirst[at] === 1 &&
      minuteSet.has(minutes[at] ?? 0) &&
      hourSet.has(hours[at] ?? 0) &&
      monthSet.has(months[at] ?? 0) &&
      isDay(at)
    )
      until = at + span.durationMs / 60_000
    inside[at] = at < until ? 1 : 0
  }
  return inside
}
