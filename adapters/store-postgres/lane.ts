import { crashPoint } from '../crash-point.ts'
import type { Appended, Commit } from '../../core/ports/event-store.ts'
import { groupSize } from '../../core/ports/group-size.ts'
import { refuse } from '../../core/ports/refusal.ts'
import type { Connect, Connection } from './connect.ts'
import { isAnswer, isBusy, isDuplicate } from './failures.ts'
import type { Asking } from './pool.ts'
import type { Transact } from './transaction.ts'
import type { WriteGroup } from './append.ts'

/** Everything that this process writes into the log, one behind the other, on one connection. */
export type Lane = {
  /** Appends the commits of one call. Calls that wait are written together, in their order. */
  readonly append: (commits: readonly Commit[]) => Promise<readonly Appended[]>
  /** Runs `work` in a transaction that has the lock, behind everything that came before. */
  readonly write: <A>(work: (connection: Asking) => Promise<A>) => Promise<A>
  /** Waits until everything that came before is done, then ends the connection. */
  readonly close: () => Promise<void>
}

export type LaneOptions = {
  readonly connect: Connect
  /** A connection that is there already. */
  readonly first: Connection | undefined
  /** Transactions that take the lock of the store first. */
  readonly locked: Transact
  readonly writeGroup: WriteGroup
  readonly onWritten: (lastPosition: bigint) => void
}

type Append = {
  readonly _tag: 'append'
  readonly commits: readonly Commit[]
  readonly resolve: (answers: readonly Appended[]) => void
  readonly reject: (error: unknown) => void
}
type Work = {
  readonly _tag: 'work'
  /** Gives the function that tells the caller; it is called when the work is durable. */
  readonly run: (connection: Asking) => Promise<() => void>
  readonly reject: Append['reject']
}
type Job = Append | Work

export const writingLane = ({ connect, first: opened, locked, writeGroup: written, onWritten }: LaneOptions): Lane => {
  let jobs: Job[] = []
  let connection = opened
  let running: Promise<void> | undefined
  let isClosed = false

  const own = async (): Promise<Connection> => {
    if (connection?.isBroken() === true) {
      void connection.close()
      connection = undefined
    }
    return (connection ??= await connect())
  }

  /** A connection that was lost while nobody used it is found out at the first statement, when nothing has been written yet. */
  const transact = async <A>(run: (on: Connection, onBegun: () => void) => Promise<A>): Promise<A> => {
    const isUsed = connection !== undefined
    let hasBegun = false
    const attempt = async (): Promise<A> => run(await own(), () => (hasBegun = true))
    try {
      return await attempt()
    } catch (error) {
      if (!isUsed || hasBegun || connection?.isBroken() !== true) throw error
      return attempt()
    }
  }

  const writeGroup = async (group: readonly Append[], isTrusting = true): Promise<void> => {
    const calls = group.map(({ commits }) => commits)
    try {
      crashPoint('before-append')
      const { answers, wroteTo } = await transact((on, onBegun) => written(on, { calls, isTrusting, onBegun }))
      crashPoint('after-append')
      if (wroteTo !== undefined) onWritten(wroteTo)
      group.forEach(({ resolve }, i) => resolve(answers[i] ?? []))
    } catch (error) {
      if (isTrusting && isDuplicate(error)) return writeGroup(group, false)
      // One commit that the server does not take must not make the others fail.
      if (group.length > 1 && isAnswer(error) && !isBusy(error)) for (const one of group) await writeGroup([one])
      else for (const { reject } of group) reject(error)
    }
  }

  const runAll = async (): Promise<void> => {
    for (;;) {
      const [first] = jobs
      if (first === undefined) break
      const size = first._tag === 'append' ? groupSize(jobs, commitsOf) : 1
      const group = jobs.slice(0, size)
      jobs = jobs.slice(size)
      if (first._tag === 'append')
        await writeGroup(group as Append[]) // groupSize counts appends
      else await work(first)
    }
    running = undefined
  }

  const work = async ({ run, reject }: Work): Promise<void> => {
    try {
      const tell = await transact((on, onBegun) =>
        locked(on, () => {
          onBegun()
          return run(on)
        }),
      )
      tell()
    } catch (error) {
      reject(error)
    }
  }

  const add = (job: Job): void => {
    if (isClosed) return job.reject(refuse('UNAVAILABLE', 'the store is closed'))
    jobs.push(job)
    // A turn later, so that those who ask in this turn are in the first group, too.
    running ??= Promise.resolve().then(runAll)
  }

  return {
    append: (commits) => new Promise((resolve, reject) => add({ _tag: 'append', commits, resolve, reject })),
    write: (work) =>
      new Promise((resolve, reject) => {
        const run = async (on: Asking): Promise<() => void> => {
          const answer = await work(on)
          return () => resolve(answer)
        }
        add({ _tag: 'work', run, reject })
      }),
    close: async () => {
      isClosed = true
      await running
      await connection?.close()
    },
  }
}

const commitsOf = (job: Job): Append['commits'] | undefined => (job._tag === 'append' ? job.commits : undefined)
