import { pino, type Logger } from 'pino'
import type { Notice } from '../../core/engine.ts'
import { describeThrown } from '../../core/telemetry/tell-thrown.ts'
import type { HandledRequest } from '../http/index.ts'
import { linesOfRecord, type LogRecord } from './log-lines.ts'
import { escaping, sayStyled } from './print.ts'
import { seldom } from './seldom.ts'

export type LogLevel = 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'

/** A line of JSON per record for programs, or a readable line for people. */
export type LogForm = 'json' | 'pretty'

/**
 * Opens the log on standard error; it is written synchronously. Pino itself escapes only the characters below U+0020, and
 * names of files and projections may contain any character.
 */
export const openLog = (level: LogLevel, form: LogForm = 'json'): Logger =>
  pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    form === 'json'
      ? escaping(pino.destination({ fd: 2, sync: true }))
      : { write: (json: string) => sayStyled(linesOfRecord(JSON.parse(json) as LogRecord)) }, // pino has written an object
  )

export const logNotice =
  (log: Logger) =>
  ({ level, message, context = {} }: Notice): void =>
    log[level](context, message)

/**
 * Logs a request at `debug`; for people at `info`, except for what a monitor asks all the time. The first request of a minute that shows the
 * same fault of the server is a warning or an error: while a disk is full, every request fails. `leftOut` says how many such requests were
 * logged only at `debug` since.
 */
export const logRequest = (log: Logger, form: LogForm = 'json'): ((request: HandledRequest) => void) => {
  const due = seldom()
  return ({ thrown, ...handled }) => {
    const request = { ...handled, path: handled.path?.slice(0, PATH_MAX) ?? null }
    const leftOut = request.status < 500 ? undefined : due(`${request.status} ${request.code} ${placeOf(thrown)}`)
    const isShown = form === 'pretty' && request.status < 500 && !MONITORED.includes(request.path ?? '')
    if (isShown) log.info(request, 'a request was answered')
    else if (leftOut === undefined)
      log.debug(request, request.status < 500 ? 'a request was answered' : 'a request failed')
    else if (thrown !== undefined) log.error({ ...request, leftOut, err: thrown.error }, 'a request met a bug')
    else log.warn({ ...request, leftOut }, 'a request failed')
  }
}

const MONITORED = ['/healthz', '/readyz', '/metrics']

/** Bugs at different places are different. */
const placeOf = (thrown: HandledRequest['thrown']): string =>
  thrown === undefined ? '' : (describeThrown(thrown.error).at[0] ?? 'unknown')

/** A caller chooses the path, up to the limit on headers. All routes are shorter than this. */
const PATH_MAX = 200
