import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { failure, type Failure } from '../../../core/failure.ts'
import type { Appended, Commit, EventStore } from '../../../core/ports/event-store.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { E, type TE } from '../../../core/prelude.ts'

type Answer = E.Either<Failure, readonly Appended[]>

/** What becomes of one call of `append`. */
export type Fault = (commits: readonly Commit[], store: EventStore) => Promise<Answer>

export type FaultyStorage = Storage & {
  /** The next calls of `append` go like this, one after the other; those after them go well. */
  readonly plan: (...faults: readonly Fault[]) => void
  /** Every commit that `append` was called with, in order. */
  readonly attempts: readonly Commit[]
  /** While set, the store answers nothing but this. */
  outage: Failure | undefined
}

const unavailable = failure('UNAVAILABLE', 'the store does not answer')

export const goesWell: Fault = (commits, store) => store.append(commits)()
/** Nothing is written, and the store cannot tell. */
export const notWritten: Fault = async () => E.left(unavailable)
/** All is written, and the store cannot tell. */
export const writtenUnseen: Fault = async (commits, store) => {
  await store.append(commits)()
  return E.left(unavailable)
}
/** Nothing is written: the log is said to have moved on. */
export const conflicts: Fault = async (commits) =>
  E.right(commits.map(() => ({ _tag: 'conflict', sequence: 0n, position: 0n })))
/** Nothing is written: the activity is said to exist. */
export const revisionConflicts: Fault = async (commits) =>
  E.right(
    commits.map(({ events }) => ({ _tag: 'revision-conflict', activity: events[0]?.activity ?? '', revision: 1n })),
  )
/** All is written, but the store forgot that it was this very commit. */
export const writtenThenConflict: Fault = async (commits, store) => {
  await store.append(commits)()
  return conflicts(commits, store)
}
/** Somebody else comes first. */
export const after =
  (before: () => Promise<unknown>): Fault =>
  async (commits, store) => {
    await before()
    return store.append(commits)()
  }

/** An append that waits until it is let go. */
export const held = (): {
  readonly fault: Fault
  readonly begun: Promise<void>
  readonly letGo: (fault?: Fault) => void
} => {
  let begin = (): void => undefined
  let letGo: (fault?: Fault) => void = () => undefined
  const begun = new Promise<void>((resolve) => (begin = resolve))
  const released = new Promise<Fault>((resolve) => (letGo = (fault = goesWell) => resolve(fault)))
  return {
    fault: async (commits, store) => {
      begin()
      return (await released)(commits, store)
    },
    begun,
    letGo,
  }
}

/** Begins something whose append waits until it is let go. */
export const heldAtAppend = async <A>(
  store: FaultyStorage,
  begin: () => Promise<A>,
): Promise<{ readonly begun: Promise<A>; readonly letGo: (fault?: Fault) => void }> => {
  const gate = held()
  store.plan(gate.fault)
  const begun = begin()
  await gate.begun
  return { begun, letGo: gate.letGo }
}

/**
 * A store in memory that fails as it is told. It says that nobody else writes, unless `isShared`, and outlives the
 * engine that closes it, as a file does.
 */
export const faultyStore = ({ isShared = false, inner = memoryStore() } = {}): FaultyStorage => {
  const faults: Fault[] = []
  const attempts: Commit[] = []
  const unlessOut =
    <A>(task: TE.TaskEither<Failure, A>): TE.TaskEither<Failure, A> =>
    async () =>
      faulty.outage === undefined ? task() : E.left(faulty.outage)
  const { store } = inner
  const faulty: FaultyStorage = {
    plan: (...more) => void faults.push(...more),
    attempts,
    outage: undefined,
    readModels: { ...inner.readModels, close: async () => undefined },
    sealed: inner.sealed,
    store: {
      ...store,
      close: async () => undefined,
      capabilities: { ...store.capabilities, soleWriter: !isShared },
      append: (commits) =>
        unlessOut(() => {
          attempts.push(...commits)
          return (faults.shift() ?? goesWell)(commits, store)
        }),
      readLog: (...asked) => unlessOut(store.readLog(...asked)),
      readActivity: (...asked) => unlessOut(store.readActivity(...asked)),
      head: (...asked) => unlessOut(store.head(...asked)),
    },
  }
  return faulty
}
