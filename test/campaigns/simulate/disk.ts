import { memoryStore } from '../../../adapters/store-memory/index.ts'
import type { Leases } from '../../../core/ports/leases.ts'
import type { ReadModels } from '../../../core/ports/read-models.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { withGaps } from './gaps.ts'
import type { Random } from './random.ts'
import type { Host, Scheduler } from './scheduler.ts'

/** The one database of all processes. */
export type Disk = {
  /** What is in it now. It is another object after it went back. */
  readonly storage: () => Storage
  readonly leases: () => Leases
  /** Writes, so that it can be done again up to a point. */
  readonly write: <A>(what: Written['what'], apply: Apply<A>) => Promise<A>
  /** Calls after each change of the log. */
  readonly watch: (onChanged: () => void) => () => void
  /**
   * Loses the last writes, as a failover to a standby does that had not heard of them. Everybody may know of it, so it is a new era.
   *
   * @param keepsRows  whether the rows stand in another database, and stay
   * @param keepsLeases  whether the leases do
   */
  readonly goBack: (keepsRows: boolean, keepsLeases: boolean) => Promise<void>
  /** Loses the last writes without telling anybody: a bug. */
  readonly forget: () => Promise<void>
  readonly era: () => number
  /** How often rows were thrown away, to be built again. Until then, a list is short. */
  readonly drops: () => number
  readonly dropRows: (name: string) => ReturnType<ReturnType<ReadModels['drop']>>
  /** Whether the log went back and the rows did not, and nobody who noticed has thrown them away yet: they come from another log. */
  readonly hasForeignRows: (name: string) => boolean
  /** To be called when a process wrote rows of events that the log has lost: it has to notice, unless it ends before. */
  readonly noteForeignRows: (name: string, writer: Host) => void
}

type Apply<A> = (on: Storage) => Promise<A>
/** Standings are lost with the log, and are no commit of it: each process writes them at its first start. */
type Written = { readonly what: 'log' | 'standings' | 'rows'; readonly apply: Apply<unknown> }

/** How many commits a failover loses. */
const LOST_MAX = 5

export const disk = (random: Random, scheduler: Scheduler, hasGaps: boolean): Disk => {
  const open = (): Storage => {
    const opened = memoryStore({ now: scheduler.elapsedMs })
    return hasGaps ? withGaps(opened) : opened
  }
  let storage = open()
  let leases = leasesOf(storage)
  let written: Written[] = []
  let era = 0
  /** The rows that were thrown away since they were kept; `undefined` if they never were. */
  let renewed: Set<string> | undefined
  const foreign = new Map<string, Host>()
  let drops = 0
  const watchers = new Set<() => void>()

  const changed = (): void => watchers.forEach((onChanged) => onChanged())

  const lose = async (keepsRows: boolean, keepsLeases: boolean): Promise<void> => {
    const commits = written.flatMap(({ what }, index) => (what === 'log' ? [index] : []))
    const lost = Math.min(1 + random.below(LOST_MAX), commits.length - BEGINNING)
    const from = lost > 0 ? commits[commits.length - lost] : undefined
    if (from === undefined) return
    written = written.filter(({ what }, index) => index < from || (keepsRows && what === 'rows'))
    const restored = open()
    for (const { apply } of written) await apply(restored)
    storage = restored
    if (!keepsLeases) leases = leasesOf(restored)
    changed()
  }

  const write: Disk['write'] = async (what, apply) => {
    written.push({ what, apply })
    const answer = await apply(storage)
    if (what !== 'rows') changed()
    return answer
  }

  return {
    storage: () => storage,
    leases: () => leases,
    write,
    drops: () => drops,
    dropRows: (name) => {
      drops += 1
      renewed?.add(name)
      foreign.delete(name)
      return write('rows', ({ readModels }) => readModels.drop(name)())
    },
    watch: (onChanged) => {
      watchers.add(onChanged)
      return () => void watchers.delete(onChanged)
    },
    goBack: async (keepsRows, keepsLeases) => {
      era += 1
      if (keepsRows) renewed = new Set()
      await lose(keepsRows, keepsLeases)
    },
    forget: () => lose(false, false),
    era: () => era,
    hasForeignRows: (name) => renewed?.has(name) === false || foreign.get(name)?.isOver() === true,
    noteForeignRows: (name, writer) => void foreign.set(name, writer),
  }
}

/** How many commits are never lost: the beginning of the organization. */
const BEGINNING = 1

const leasesOf = ({ leases }: Storage): Leases => {
  if (leases === undefined) throw new Error('a store in memory has leases')
  return leases
}
