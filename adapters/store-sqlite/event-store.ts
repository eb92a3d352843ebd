import { E } from '../../core/prelude.ts'
import type { EventStore, ReadOptions, Recorded } from '../../core/ports/event-store.ts'
import type { Lane } from './lane.ts'
import { pack } from './pack.ts'
import type { ReadElsewhere } from './read-elsewhere.ts'
import type { LogReader, Page } from './read-log.ts'
import { readingWith } from './reading.ts'
import { watchers } from './watchers.ts'

/** Smaller pages are for somebody who waits for a few events. */
const LONG_PAGE = 1_000

/** @param pollIntervalMs  how often to look for another process's commits; `undefined` where this process is the writer */
export const sqliteEventStore = (
  lane: Lane,
  reader: LogReader,
  elsewhere: ReadElsewhere,
  pollIntervalMs: number | undefined,
): EventStore => {
  const { attempt, close } = readingWith(reader)
  const watching = watchers(
    pollIntervalMs === undefined ? undefined : { dataVersion: reader.dataVersion, intervalMs: pollIntervalMs },
  )
  /** The last long page was full: there is more of that log, and whoever reads it will go on. */
  let isLong = false

  const read = async (page: Page): Promise<readonly Recorded[]> => {
    const isLongPage = page.limit >= LONG_PAGE
    const steps = isLongPage && isLong ? await elsewhere.steps(page) : undefined
    const events = steps === undefined ? reader.events(page) : reader.eventsOf(steps)
    if (isLongPage) isLong = events.length === page.limit
    return events
  }

  return {
    capabilities: { soleWriter: true, durable: true, remembersIds: true },
    append: (commits) => async () => {
      const packed = pack(commits)
      const answer = await lane.ask('append', { packed }, [packed.bytes.buffer])()
      if (E.isRight(answer) && answer.right.some(({ _tag }) => _tag === 'committed')) watching.notify()
      return answer
    },
    readLog: (organization, after, limit, options) =>
      attempt(() => read({ log: 'log', keys: [organization], after, limit, ...boundsOf(options) })),
    readActivity: (organization, activity) =>
      attempt(() =>
        read({ log: 'activity', keys: [organization, activity], after: 0n, limit: Infinity, ...boundsOf() }),
      ),
    readAll: (after, limit, options) =>
      attempt(() => read({ log: 'all', keys: [], after, limit, ...boundsOf(options) })),
    head: (organization) => attempt(() => reader.head(organization)),
    lastPosition: () => attempt(() => reader.lastPosition()),
    organizations: (after, limit) => attempt(() => reader.organizations(after, limit)),
    watch: watching.add,
    importedTo: () => attempt(() => reader.importedTo()),
    setImportedTo: (position) => lane.ask('setImportedTo', { position }),
    erasePart: (organization, sequence, part) => lane.ask('erasePart', { organization, sequence, part }),
    close: async () => {
      watching.close()
      await close(elsewhere.close)
      await lane.close()
    },
  }
}

const boundsOf = ({ parts = true, bytesMax = Infinity }: ReadOptions = {}): Pick<Page, 'withParts' | 'bytesMax'> => ({
  withParts: parts,
  bytesMax,
})
