import { activityIndex, type ActivityIndex } from './activity-index.ts'
import { identify, identifyAgain } from './identity.ts'
import { indexer, type Indexer } from './indexer.ts'
import { linkStreams } from './link-streams.ts'
import type { LinkingPorts } from './linker.ts'
import { linksMarks } from './links-mark.ts'
import type { LogClient } from './log-client.ts'
import { logReader, type LogReader } from './log-reader.ts'
import { marksStream, type MarksStream } from './marks.ts'
import { streamNames, type StreamNames } from './names.ts'
import type { StoreSettings } from './options.ts'
import { overlaid } from './overlay.ts'
import { partStreams, type Parts } from './parts.ts'
import { tails, type Tails } from './tails.ts'

/** What reads a log and finds activities in it: for the store, and for whoever examines it. */
export type LogParts = {
  /** The id of the database that belongs to the log. */
  readonly database: string
  readonly names: StreamNames
  readonly reader: LogReader
  readonly parts: Parts
  readonly marks: MarksStream
  readonly indexer: Indexer
  readonly index: ActivityIndex
  readonly tails: Tails
  readonly linking: LinkingPorts
}

/** Fails if the read models do not belong to this log. */
export const logParts = async (client: LogClient, settings: StoreSettings): Promise<LogParts> => {
  const { readModels, leases, readOnly } = settings
  const names = streamNames(settings.prefix)
  const parts = partStreams(client, names)
  const reader = logReader(client, names, parts)
  const marks = marksStream(client, names)
  const database = await identify({ readModels, marks, reader }, settings)
  const beginning = await marks.beginning()
  if (beginning !== undefined) reader.begin(beginning)
  const rows = readOnly ? overlaid(readModels) : readModels
  const onThrownAway = () => (readOnly ? Promise.resolve() : identifyAgain(readModels, database))
  const moving = indexer({ readModels: rows, leases, reader, database, readOnly, onThrownAway })
  const index = activityIndex(rows, moving)
  const ends = tails({ reader, index, indexer: moving })
  const streams = linkStreams({ client, names, reader, tails: ends })
  const linking = { reader, streams, marks: linksMarks(readModels) }
  return { database, names, reader, parts, marks, indexer: moving, index, tails: ends, linking }
}
