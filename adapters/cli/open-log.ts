import { pino, type Logger } from 'pino'
import type { Notice } from '../../core/engine.ts'
import type { HandledRequest } from '../http/index.ts'
import { escaping } from './print.ts'

export type LogLevel = 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'

/**
 * Opens the log: a JSON object per line on standard error, written before the next thing happens. Pino itself escapes the
 * characters below U+0020 alone, and names of files and projections may hold any.
 */
export const openLog = (level: LogLevel): Logger =>
  pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    escaping(pino.destination({ fd: 2, sync: true })),
  )

export const logNotice =
  (log: Logger) =>
  ({ level, message, context = {} }: Notice): void =>
    log[level](context, message)

/** Requests are logged at `debug`, but for those that show a fault of ours. */
export const logRequest =
  (log: Logger) =>
  ({ thrown, ...request }: HandledRequest): void => {
    if (thrown !== undefined)
      log.error({ ...request, requestId: thrown.requestId, err: thrown.error }, 'a request met a bug')
    else if (request.status >= 500) log.warn(request, 'a request failed')
    else log.debug(request, 'a request was answered')
  }
