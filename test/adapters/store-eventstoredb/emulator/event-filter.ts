/** Which events a filtered subscription wants, and how often it wants to hear how far the server has looked. */
import type streams from '@eventstore/db-client/generated/streams_pb.js'
import type { LogRecord } from './event-log.ts'

export type EventFilter = {
  readonly matches: (record: LogRecord) => boolean
  /** How many events are looked at in one go; undefined: as many as the server likes. */
  readonly window: number | undefined
  /** A checkpoint is sent after this many windows. */
  readonly checkpointEvery: number
}

export const filterIn = (options: streams.ReadReq.Options.FilterOptions | undefined): EventFilter | undefined => {
  if (options === undefined) return undefined
  const byStream = options.hasStreamIdentifier()
  const expression = byStream ? options.getStreamIdentifier() : options.getEventType()
  const prefixes = expression?.getPrefixList() ?? []
  const regex =
    expression === undefined || expression.getRegex() === '' ? undefined : new RegExp(expression.getRegex(), 'u')
  const passes = (text: string): boolean => regex?.test(text) ?? prefixes.some((prefix) => text.startsWith(prefix))
  return {
    matches: ({ stream, type }) => passes(byStream ? stream : type),
    window: options.hasMax() ? options.getMax() : undefined,
    checkpointEvery: options.getCheckpointintervalmultiplier(),
  }
}
