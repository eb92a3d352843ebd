import { storedName } from '../../../core/definition/projection.ts'
import { decodeUtf8 } from '../../../core/bytes.ts'
import type { Appended, Commit } from '../../../core/ports/event-store.ts'
import type { RowChange, Snapshot } from '../../../core/ports/read-models.ts'
import { E } from '../../../core/prelude.ts'
import type { Disk } from './disk.ts'
import type { Violation } from './journal.ts'
import type { Host } from './scheduler.ts'
import { steps } from './steps.ts'

/** Sees everything that reaches the database, and says what must not be there. */
export type Overseer = {
  readonly appended: (commits: readonly Commit[], answers: readonly Appended[]) => void
  readonly saved: (version: string, snapshot: Snapshot) => void
  readonly given: (version: string, organization: string, snapshot: Snapshot | undefined) => void
  /** To be called before rows are written; what it gives, after they were. */
  readonly moving: (name: string, to: bigint, changes: readonly RowChange[]) => Promise<() => void>
  readonly dropping: (name: string) => void
  readonly readingHead: <A>(host: Host, organization: string, read: () => Promise<A>) => Promise<A>
}

type Ports = {
  readonly disk: Disk
  readonly violate: (violation: Violation) => void
  /** Called with the activity that the log calls interrupted from now on. */
  readonly onInterrupted: (activityId: string) => void
}

export const overseer = ({ disk, violate, onInterrupted }: Ports): Overseer => {
  const snapshots = new Map<string, { readonly version: string; readonly era: number }>()
  const reading = new Map<Host, Map<string, number>>()
  const name = storedName(steps)

  return {
    appended: (commits, answers) =>
      commits.forEach(({ events }, index) => {
        if (answers[index]?._tag !== 'committed') return
        for (const { activity, line } of events)
          if (decodeUtf8(line)?.includes('"INTERRUPTED"') === true) onInterrupted(activity)
      }),

    saved: (version, snapshot) =>
      void snapshots.set(`${version} ${snapshot.organization}`, { version: snapshot.version, era: disk.era() }),

    given: (version, organization, snapshot) => {
      const saved = snapshots.get(`${version} ${organization}`)
      if (saved?.era !== disk.era() || snapshot?.version === saved.version) return
      violate({
        promise: 'a process finds the snapshots of its version again',
        detail: `${organization} has ${snapshot?.version ?? 'none'}, and ${saved.version} was saved`,
      })
    },

    moving: async (moved, to, changes) => {
      if (disk.hasForeignRows(moved)) return () => undefined
      const { readModels } = disk.storage()
      const [checkpoint, reached] = [await readModels.checkpoint(moved)(), new Map<string, bigint>()]
      for (const change of moved === name ? changes : []) {
        if (change._tag !== 'put' || change.organization.startsWith('!')) continue
        const { organization, order } = change
        const newest = await readModels.rows(moved, organization, { limit: 1 })()
        const last = reached.get(organization) ?? (E.isRight(newest) ? (newest.right[0]?.order ?? 0n) : 0n)
        const isRetry = !reached.has(organization) && order === (await parkedAt(disk, moved, organization))
        reached.set(organization, order)
        if (order === last + 1n || isRetry) continue
        const detail = `the step ${order} was taken behind ${last}`
        return () => violate({ promise: 'events are taken in order, each once, and none behind a parked one', detail })
      }
      if (E.isLeft(checkpoint) || checkpoint.right <= to) return () => undefined
      const detail = `${moved} went from ${checkpoint.right} to ${to}`
      return () => violate({ promise: 'a checkpoint goes forward', detail })
    },

    dropping: (dropped) => {
      if (disk.era() === 0) violate({ promise: 'rows are thrown away only if the store went back', detail: dropped })
    },

    readingHead: async (host, organization, read) => {
      const own = reading.get(host) ?? new Map<string, number>()
      reading.set(host, own)
      const underWay = (own.get(organization) ?? 0) + 1
      own.set(organization, underWay)
      if (underWay > 2) violate({ promise: 'one read of a head serves all who wait', detail: `${underWay} at once` })
      const answer = await read()
      own.set(organization, (own.get(organization) ?? 1) - 1)
      return answer
    },
  }
}

/** From where on the events of an organization are held back: what is parked may be parked and taken twice. */
const parkedAt = async (disk: Disk, name: string, organization: string): Promise<bigint | undefined> => {
  const parked = await disk.storage().readModels.rows(name, '!parked', { limit: 100 })()
  return E.isRight(parked) ? parked.right.find(({ key }) => key === organization)?.order : undefined
}
