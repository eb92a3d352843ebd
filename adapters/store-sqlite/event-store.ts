import { E } from '../../core/prelude.ts'
import type { EventStore } from '../../core/ports/event-store.ts'
import type { Lane } from './lane.ts'
import { pack } from './pack.ts'
import type { LogReader } from './read-log.ts'
import { readingWith } from './reading.ts'
import { watchers } from './watchers.ts'

/** @param pollIntervalMs  how often to look for another process's commits; `undefined` where this process is the writer */
export const sqliteEventStore = (lane: Lane, reader: LogReader, pollIntervalMs: number | undefined): EventStore => {
  const { attempt, close } = readingWith(reader)
  const watching = watchers(
    pollIntervalMs === undefined ? undefined : { dataVersion: reader.dataVersion, intervalMs: pollIntervalMs },
  )

  return {
    capabilities: { soleWriter: true, durable: true, remembersIds: true },
    append: (commits) => async () => {
      const packed = pack(commits)
      const answer = await lane.ask('append', { packed }, [packed.bytes.buffer])()
      if (E.isRight(answer) && answer.right.some(({ _tag }) => _tag === 'committed')) watching.notify()
      return answer
    },
    readLog: (organization, after, limit, options) =>
      attempt(() => reader.readLog(organization, after, limit, options?.parts ?? true)),
    readActivity: (organization, activity) => attempt(() => reader.readActivity(organization, activity)),
    readAll: (after, limit, options) => attempt(() => reader.readAll(after, limit, options?.parts ?? true)),
    head: (organization) => attempt(() => reader.head(organization)),
    lastPosition: () => attempt(() => reader.lastPosition()),
    organizations: (after, limit) => attempt(() => reader.organizations(after, limit)),
    watch: watching.add,
    erasePart: (organization, sequence, part) => lane.ask('erasePart', { organization, sequence, part }),
    close: async () => {
      watching.close()
      close()
      await lane.close()
    },
  }
}
