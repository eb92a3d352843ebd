import type { Appended, Commit } from '../../core/ports/event-store.ts'
import { groupSize } from '../../core/ports/group-size.ts'
import { refuse } from '../../core/ports/refusal.ts'
import type { Outcome, WriteGroup } from './append.ts'

/** Everything that this process appends, one group behind the other. */
export type Lane = {
  /** Appends the commits of one call. Calls that wait are written together, in their order. */
  readonly append: (commits: readonly Commit[]) => Promise<readonly Appended[]>
  /** Waits until everything that came before is done, and refuses what comes later. */
  readonly close: () => Promise<void>
}

type Append = {
  readonly commits: readonly Commit[]
  readonly resolve: (answers: readonly Appended[]) => void
  readonly reject: (error: unknown) => void
}

/** @param onWritten  called with the last position of each group that wrote something */
export const writingLane = (writeGroup: WriteGroup, onWritten: (position: bigint) => void): Lane => {
  let jobs: Append[] = []
  let running: Promise<void> | undefined
  let isClosed = false
  /** Groups that are written, and whose callers have not been told yet. */
  const telling = new Set<Promise<void>>()

  const tell = async (group: readonly Append[], outcomes: Promise<readonly Outcome[]>, wroteTo: bigint | undefined) => {
    try {
      const all = await outcomes
      if (wroteTo !== undefined) onWritten(wroteTo)
      for (const [index, { resolve, reject }] of group.entries()) {
        const outcome = all[index]
        if (outcome === undefined || 'error' in outcome) reject(outcome?.error)
        else resolve(outcome.answers)
      }
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }

  const runAll = async (): Promise<void> => {
    while (jobs.length > 0) {
      const group = jobs.slice(
        0,
        groupSize(jobs, ({ commits }) => commits),
      )
      jobs = jobs.slice(group.length)
      try {
        const { outcomes, wroteTo } = await writeGroup(group.map(({ commits }) => commits))
        // The next group does not wait for the positions of this one.
        const told = tell(group, outcomes, wroteTo).finally(() => telling.delete(told))
        telling.add(told)
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
    running = undefined
  }

  return {
    append: (commits) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(refuse('UNAVAILABLE', 'the store is closed'))
        jobs.push({ commits, resolve, reject })
        // A turn later, so that those who ask in this turn are in the first group, too.
        running ??= Promise.resolve().then(runAll)
      }),
    close: async () => {
      isClosed = true
      await running
      await Promise.all(telling)
    },
  }
}
