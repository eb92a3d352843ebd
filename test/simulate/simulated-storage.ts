import { memoryStore } from '../../adapters/store-memory/index.ts'
import { failure, type Failure } from '../../core/failure.ts'
import type { Appended, Commit, EventStore } from '../../core/ports/event-store.ts'
import type { ReadModels } from '../../core/ports/read-models.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { E, type TE } from '../../core/prelude.ts'
import type { Random } from './random.ts'
import type { Scheduler } from './scheduler.ts'

/** What a store can do wrong, by name. The simulation must find each. */
export const storeBugs = [
  'answer-before-commit',
  'no-fsync',
  'half-group',
  'checkpoint-ahead',
  'unchecked-sequence',
] as const
export type StoreBug = (typeof storeBugs)[number]

/** One disk, and processes that come and go. */
export type Disk = {
  /** What is on it now. */
  readonly storage: () => Storage
  /** A storage for a new process, and the end of that process. */
  readonly mount: () => { readonly storage: Storage; readonly kill: () => Promise<void> }
  /** From now on nothing goes wrong any more. */
  readonly heal: () => void
}

export const disk = (random: Random, scheduler: Scheduler, bug: StoreBug | undefined): Disk => {
  let real = memoryStore()
  let isHealthy = false
  let last = 0n
  const watchers = new Set<() => void>()

  const unavailable: E.Either<Failure, never> = E.left(failure('UNAVAILABLE', 'the simulated disk does not answer'))

  const write = async (commits: readonly Commit[]): Promise<E.Either<Failure, readonly Appended[]>> => {
    const loosened =
      bug === 'unchecked-sequence' ? commits.map((commit) => ({ ...commit, expected: 'any' as const })) : commits
    const appended = await real.store.append(loosened)()
    if (E.isRight(appended)) {
      for (const answer of appended.right) if ('position' in answer && answer.position > last) last = answer.position
    }
    for (const onAppended of watchers) scheduler.later(onAppended)
    return appended
  }

  const mount = () => {
    let isAlive = true
    const inFlight = new Set<readonly Commit[]>()

    /** The call happens later, and its answer later still; to a dead process no answer comes. */
    const call =
      <A>(run: () => Promise<E.Either<Failure, A>>): TE.TaskEither<Failure, A> =>
      () =>
        new Promise((resolve) => {
          if (!isAlive) return
          scheduler.later(() => {
            if (!isAlive) return
            void run().then((answer) => scheduler.later(() => isAlive && resolve(answer)))
          })
        })

    const append =
      (commits: readonly Commit[]): TE.TaskEither<Failure, readonly Appended[]> =>
      () =>
        new Promise((resolve) => {
          if (!isAlive) return
          inFlight.add(commits)
          const answer = (appended: E.Either<Failure, readonly Appended[]>): void => {
            scheduler.later(() => isAlive && resolve(appended))
          }
          if (bug === 'answer-before-commit' && random.chance(0.3)) answer(E.right(commits.map(lied)))
          scheduler.later(() => {
            if (!isAlive || !inFlight.delete(commits)) return
            void carryOut(commits).then(answer)
          })
        })

    const lied = ({ expected, events }: Commit): Appended => ({
      _tag: 'committed',
      sequence: (typeof expected === 'bigint' ? expected : 0n) + BigInt(events.length),
      position: last + 1n,
    })

    const carryOut = async (commits: readonly Commit[]): Promise<E.Either<Failure, readonly Appended[]>> => {
      if (isHealthy) return write(commits)
      const luck = random.next()
      if (luck < 0.04) return unavailable // nothing happened
      if (luck < 0.08) {
        await write(commits.slice(0, random.below(commits.length + 1))) // a part happened, and nobody heard of it
        return unavailable
      }
      if (luck < 0.12) {
        await write(commits) // all of it happened, and nobody heard of it
        return unavailable
      }
      if (bug === 'half-group' && commits.length > 1 && random.chance(0.5)) {
        const half = await write(commits.slice(0, commits.length >> 1))
        return E.map((answers: readonly Appended[]) => commits.map((commit, index) => answers[index] ?? lied(commit)))(
          half,
        )
      }
      return write(commits)
    }

    const store: EventStore = {
      watch: (onAppended) => {
        watchers.add(onAppended)
        return () => void watchers.delete(onAppended)
      },
      eraseParts: (organization, parts) => call(() => real.store.eraseParts(organization, parts)()),
      importedTo: () => real.store.importedTo(),
      activities: (organization, selection) => call(() => real.store.activities(organization, selection)()),
      pending: (after, limit) => call(() => real.store.pending(after, limit)()),
      setStandings: (standings, version) => real.store.setStandings(standings, version),
      standingsVersion: () => real.store.standingsVersion(),
      setImportedTo: (position) => real.store.setImportedTo(position),
      organizations: (after, limit) => call(() => real.store.organizations(after, limit)()),
      capabilities: { ...real.store.capabilities, soleWriter: false },
      append,
      readLog: (...asked) => call(() => real.store.readLog(...asked)()),
      readActivity: (...asked) => call(() => real.store.readActivity(...asked)()),
      readAll: (...asked) => call(() => real.store.readAll(...asked)()),
      head: (organization) => call(() => real.store.head(organization)()),
      lastPosition: () => call(() => real.store.lastPosition()()),
      checkWritable: () => real.store.checkWritable(),
      close: () => Promise.resolve(),
    }

    const readModels: ReadModels = {
      checkpoint: (projection) => call(() => real.readModels.checkpoint(projection)()),
      row: (projection, organization, key) => call(() => real.readModels.row(projection, organization, key)()),
      rows: (projection, organization, selection) =>
        call(() => real.readModels.rows(projection, organization, selection)()),
      drop: (projection) => real.readModels.drop(projection),
      projections: () => real.readModels.projections(),
      saveSnapshot: (snapshot) => call(() => real.readModels.saveSnapshot(snapshot)()),
      snapshot: (...asked) => call(() => real.readModels.snapshot(...asked)()),
      dropSnapshot: (organization) => call(() => real.readModels.dropSnapshot(organization)()),
      dropSnapshots: () => real.readModels.dropSnapshots(),
      move: (projection, from, to, changes) =>
        call(async () => {
          if (bug === 'checkpoint-ahead' && random.chance(0.1)) {
            return real.readModels.move(projection, from, to, changes.slice(0, changes.length >> 1))()
          }
          return real.readModels.move(projection, from, to, changes)()
        }),
      close: () => Promise.resolve(),
    }

    return {
      storage: { store, readModels },
      kill: async () => {
        isAlive = false
        for (const commits of inFlight) if (random.chance(0.5)) await write(commits) // was on its way to the disk
        inFlight.clear()
        if (bug === 'no-fsync') await forgetCache()
      },
    }
  }

  /** What was never forced to the disk goes with the machine: the last few events, and everything made of them. */
  const forgetCache = async (): Promise<void> => {
    const all = await real.store.readAll(0n, Number.MAX_SAFE_INTEGER)()
    if (E.isLeft(all)) return
    const kept = all.right.slice(0, Math.max(2, all.right.length - random.below(4)))
    real = memoryStore()
    for (const { organization, id, activity, revision, line, parts } of kept) {
      await real.store.append([
        { organization, expected: 'any', events: [{ id, activity, revision, line, parts }], checks: [] },
      ])()
    }
    last = BigInt(kept.length)
  }

  return {
    storage: () => real,
    mount,
    heal: () => {
      isHealthy = true
    },
  }
}
