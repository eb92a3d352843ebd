import { E } from '../../core/prelude.ts'
import type { EventStore, StoreCapabilities, ReadOptions, Recorded } from '../../core/ports/event-store.ts'
import type { WriterClient } from './writer-client.ts'
import { pack } from './pack.ts'
import type { ReadElsewhere } from './read-elsewhere.ts'
import type { LogReader, Page } from './read-log.ts'
import type { Failures } from './failures.ts'
import { readingWith } from './reading.ts'
import { watchers } from './watchers.ts'

/** Only pages of at least this many events are read on the other thread; smaller ones are for a caller that waits for a few events. */
const LONG_PAGE = 1_000

/** The parts that one transaction erases: all other writes wait for it. */
const ERASED_AT_ONCE = 10_000

/**
 * When a disk is full, the write-ahead log has room for the pages that the last commit had already written. A trial that fits in there would
 * find out nothing.
 */
const TRIAL_BYTES = 256 * 1024

/** What the store can do, each time it is opened. */
export const sqliteCapabilities: StoreCapabilities = {
  soleWriter: true,
  durable: true,
  remembersIds: true,
  tellsDuplicates: true,
  gaplessPositions: true,
  ordersCommits: true,
  checksWithAppend: true,
}

/** @param pollIntervalMs  how often to look for another process's commits; `undefined` if this process is the writer */
export const sqliteEventStore = (
  writer: WriterClient,
  reader: LogReader,
  elsewhere: ReadElsewhere,
  failures: Failures,
  pollIntervalMs: number | undefined,
): EventStore => {
  const { attempt, close } = readingWith(reader, failures)
  const watching = watchers(
    pollIntervalMs === undefined ? undefined : { dataVersion: reader.dataVersion, intervalMs: pollIntervalMs },
  )
  /** The last long page was full: then the reader will probably ask for the next page. */
  let isLong = false

  const read = async (page: Page): Promise<readonly Recorded[]> => {
    const isLongPage = page.limit >= LONG_PAGE
    const steps = isLongPage && isLong ? await elsewhere.steps(page) : undefined
    const events = steps === undefined ? reader.events(page) : reader.eventsOf(steps)
    if (isLongPage) isLong = events.length === page.limit
    return events
  }

  return {
    capabilities: sqliteCapabilities,
    append: (commits) => async () => {
      const packed = pack(commits)
      const answer = await writer.ask('append', { packed }, [packed.bytes.buffer])()
      if (E.isRight(answer) && answer.right.some(({ _tag }) => _tag === 'committed')) watching.notify()
      return answer
    },
    readLog: (organization, after, limit, options) =>
      attempt(() => read({ log: 'log', keys: [organization], after, limit, ...boundsOf(options) })),
    readActivity: (organization, activity, options) =>
      attempt(() =>
        read({ log: 'activity', keys: [organization, activity], after: 0n, limit: Infinity, ...boundsOf(options) }),
      ),
    readAll: (after, limit, options) =>
      attempt(() => read({ log: 'all', keys: [], after, limit, ...boundsOf(options) })),
    head: (organization) => attempt(() => reader.head(organization)),
    lastPosition: () => attempt(() => reader.lastPosition()),
    organizations: (after, limit) => attempt(() => reader.organizations(after, limit)),
    activities: (organization, selection) => attempt(() => reader.activities(organization, selection)),
    pending: (after, limit) => attempt(() => reader.pending(after, limit)),
    setStandings: (standings, version) => writer.ask('setStandings', { standings, version }),
    standingsVersion: () => attempt(() => reader.standingsVersion()),
    watch: watching.add,
    importedTo: () => attempt(() => reader.importedTo()),
    setImportedTo: (position) => writer.ask('setImportedTo', { position }),
    eraseParts: (organization, parts) => async () => {
      for (let at = 0; at < parts.length; at += ERASED_AT_ONCE) {
        const some = parts.slice(at, at + ERASED_AT_ONCE).map(({ sequence, name }) => ({ sequence, name }))
        const erased = await writer.ask('eraseParts', { organization, parts: some })()
        if (E.isLeft(erased)) return erased
      }
      return E.right(undefined)
    },
    checkWritable: () => async () => {
      const written = await writer.ask('tryWriting', { bytes: TRIAL_BYTES })()
      return E.isLeft(written) ? written : writer.ask('tryWriting', { bytes: 0 })()
    },
    close: async () => {
      watching.close()
      await close(elsewhere.close)
      await writer.close()
    },
  }
}

const boundsOf = ({ parts = true, bytesMax = Infinity }: ReadOptions = {}): Pick<Page, 'parts' | 'bytesMax'> => ({
  parts,
  bytesMax,
})
