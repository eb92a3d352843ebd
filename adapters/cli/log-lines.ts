import { dim, styled, type Line, type Span } from './style.ts'

/** A record of the log, as pino writes it. */
export type LogRecord = { readonly [member: string]: unknown }

/**
 * A record as lines for people: a request as time, method, path, status, duration and code; any other record as time, level, message and
 * its other members. The stack of an error follows, a line for each call.
 *
 * @param timeOf  the time of day of a date, as text
 */
export const linesOfRecord = (record: LogRecord, timeOf = localTime): readonly Line[] => {
  const { time, level, msg, err, ...members } = record
  const beginning: Span[] = [dim(timeOf(new Date(String(time)))), '  ']
  const request = requestOf(members)
  const line =
    request === undefined || err !== undefined
      ? [...beginning, ...labelOf(Number(level)), textOf(msg), ...membersOf(members)]
      : [...beginning, ...request]
  return [line, ...errorLines(err)]
}

const localTime = (date: Date): string =>
  [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':')

/** The parts of a line about a request; undefined for another record. */
const requestOf = ({
  method,
  path,
  status,
  durationMs,
  code,
  requestId,
  leftOut,
  ...others
}: LogRecord): Line | undefined => {
  if (typeof status !== 'number' || typeof durationMs !== 'number') return undefined
  return [
    `${textOf(method ?? '-').padEnd(4)}  ${textOf(path ?? 'what is no request')}  `,
    styled(styleOf(status))(String(status)),
    dim(`  ${durationMs < 1 ? '<1' : Math.round(durationMs)} ms`),
    ...(code === undefined ? [] : [`  ${textOf(code)}`]),
    ...membersOf({
      ...others,
      ...(status >= 400 && requestId !== undefined ? { requestId } : {}), // to find it by what the caller was told
      ...(Number(leftOut ?? 0) > 0 ? { leftOut } : {}),
    }),
  ]
}

const styleOf = (status: number) => {
  if (status >= 500) return 'red'
  return status >= 400 ? 'yellow' : 'green'
}

/** Nothing for what is only said; the numbers are those of pino. */
const labelOf = (level: number): Line => {
  if (level >= 50) return [styled('red')('error'), '  ']
  if (level >= 40) return [styled('yellow')('warning'), '  ']
  return level >= 30 ? [] : [dim('debug'), '  ']
}

const membersOf = (members: LogRecord): Line =>
  Object.entries(members).map(([name, value]) => dim(`  ${name}=${textOf(value)}`))

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const errorLines = (error: unknown): readonly Line[] => {
  if (typeof error !== 'object' || error === null) return []
  const { stack, message } = error as LogRecord // what pino makes of an error
  return textOf(stack ?? message ?? error)
    .split('\n')
    .map((line) => [dim(`    ${line.trim()}`)])
}
