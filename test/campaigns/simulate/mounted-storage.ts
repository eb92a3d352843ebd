import { failure, type Failure } from '../../../core/failure.ts'
import type { Appended, Commit, EventStore } from '../../../core/ports/event-store.ts'
import type { Leases } from '../../../core/ports/leases.ts'
import type { ReadModels } from '../../../core/ports/read-models.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { E, type TE } from '../../../core/prelude.ts'
import type { Disk } from './disk.ts'
import type { Overseer } from './overseer.ts'
import type { Random } from './random.ts'
import type { Host, Scheduler } from './scheduler.ts'
import type { StoreBug } from './store-bugs.ts'
import { wakeUps } from './wake-ups.ts'

/** The database as one process sees it: over a network that is slow and loses things. */
export type Mounted = {
  readonly storage: Storage
  /** For so long nothing arrives: calls are lost, or their answers are. */
  readonly cutOff: (forMs: number) => void
  /** Of which leases it does not know whether it got them. */
  readonly unsureOf: ReadonlySet<string>
  /** The end of the process. What was on its way arrives, or does not. */
  readonly kill: () => Promise<void>
}

export type MountPorts = {
  readonly random: Random
  readonly scheduler: Scheduler
  readonly disk: Disk
  readonly overseer: Overseer
  /** Whether nothing goes wrong any more. */
  readonly isHealthy: () => boolean
  readonly bug: StoreBug | undefined
}

type Answer<A> = E.Either<Failure, A>

const unavailable: Answer<never> = E.left(failure('UNAVAILABLE', 'the simulated database does not answer'))
/** How long a process waits for an answer that never comes. */
const TIMEOUT_MS = 400

export const mount = (ports: MountPorts, host: Host, version: string): Mounted => {
  const { random, scheduler, disk, overseer, isHealthy, bug } = ports
  const inFlight = new Set<readonly Commit[]>()
  const unsureOf = new Set<string>()
  let cutUntilMs = -1

  /** The call happens later, and its answer comes later still; to a dead process none comes. */
  const call =
    <A>(run: () => Promise<Answer<A>>, lossy = 0.01): TE.TaskEither<Failure, A> =>
    () =>
      new Promise((resolve) => {
        if (host.isOver()) return
        const answer = (given: Answer<A>): void => host.later(() => resolve(given))
        const luck = isHealthy() ? 1 : random.next() / (scheduler.elapsedMs() < cutUntilMs ? lossy * 2 : 1)
        const era = disk.era()
        if (luck < lossy) {
          host.clock.after(TIMEOUT_MS, () => resolve(unavailable))
          return
        }
        scheduler.later(() => {
          if (host.isOver()) return
          if (era !== disk.era()) return answer(unavailable) // the server that was asked is gone
          void run().then((given) => (luck < lossy * 2 ? answer(unavailable) : answer(given)))
        })
      })

  const store: EventStore = {
    ...disk.storage().store,
    ...reading(disk, call, overseer, host),
    watch: wakeUps(ports, host),
    append: (commits) => () => appended(commits),
    setStandings:
      (...set) =>
      () =>
        disk.write('standings', ({ store }) => store.setStandings(...set)()),
    setImportedTo: (position) => () => disk.write('log', ({ store }) => store.setImportedTo(position)()),
    eraseParts: (...erased) => call(() => disk.write('log', ({ store }) => store.eraseParts(...erased)())),
    checkWritable: () => call(async () => E.right(undefined)),
    close: () => Promise.resolve(),
  }

  const write = async (commits: readonly Commit[]): Promise<Answer<readonly Appended[]>> => {
    const loosened =
      bug === 'unchecked-sequence' ? commits.map((commit) => ({ ...commit, expected: 'any' as const })) : commits
    const answers = await disk.write('log', (on) => on.store.append(loosened)())
    if (E.isRight(answers)) overseer.appended(commits, answers.right)
    return answers
  }

  const appended = (commits: readonly Commit[]): Promise<Answer<readonly Appended[]>> =>
    new Promise((resolve) => {
      if (host.isOver()) return
      inFlight.add(commits)
      const era = disk.era()
      const answer = (given: Answer<readonly Appended[]>): void => host.later(() => resolve(given))
      if (bug === 'answer-before-commit' && random.chance(0.3)) {
        void lastOf(disk).then((last) => answer(E.right(commits.map((commit) => lied(commit, last)))))
      }
      scheduler.later(() => {
        if (host.isOver() || !inFlight.delete(commits)) return
        if (era !== disk.era()) return answer(unavailable)
        void carryOut(commits).then(answer)
      })
    })

  const carryOut = async (commits: readonly Commit[]): Promise<Answer<readonly Appended[]>> => {
    if (isHealthy()) return write(commits)
    const luck = random.next() / (scheduler.elapsedMs() < cutUntilMs ? 10 : 1)
    if (luck < 0.04) return unavailable // nothing happened
    if (luck < 0.08) {
      await write(commits.slice(0, random.below(commits.length + 1))) // a part happened, and nobody heard of it
      return unavailable
    }
    if (luck < 0.12) {
      await write(commits) // all of it happened, and nobody heard of it
      return unavailable
    }
    if (bug !== 'half-group' || commits.length < 2 || random.chance(0.5)) return write(commits)
    const half = await write(commits.slice(0, commits.length >> 1))
    const last = await lastOf(disk)
    return E.map((answers: readonly Appended[]) => commits.map((commit, i) => answers[i] ?? lied(commit, last)))(half)
  }

  const readModels: ReadModels = {
    ...disk.storage().readModels,
    checkpoint: (name) => call(() => disk.storage().readModels.checkpoint(name)()),
    row: (...asked) => call(() => disk.storage().readModels.row(...asked)()),
    rows: (...asked) => call(() => disk.storage().readModels.rows(...asked)()),
    projections: () => call(() => disk.storage().readModels.projections()()),
    drop: (name) =>
      call(() => {
        overseer.dropping(name)
        return disk.dropRows(name)
      }),
    saveSnapshot: (snapshot, keeps, drops) =>
      call(async () => {
        const saved = await disk.write('rows', (on) => on.readModels.saveSnapshot(snapshot, keeps, drops)())
        if (E.isRight(saved)) overseer.saved(version, snapshot)
        return saved
      }),
    snapshot: (organization, ofVersion) =>
      call(async () => {
        const found = await disk.storage().readModels.snapshot(organization, ofVersion)()
        if (E.isRight(found)) overseer.given(version, organization, found.right)
        return found
      }),
    dropSnapshot: (organization) => call(() => disk.write('rows', (on) => on.readModels.dropSnapshot(organization)())),
    snapshotDrops: (organization) => call(() => disk.storage().readModels.snapshotDrops(organization)()),
    dropSnapshots: () => call(() => disk.write('rows', (on) => on.readModels.dropSnapshots()())),
    move: (name, from, to, changes) =>
      call(async () => {
        const halved = bug === 'checkpoint-ahead' && random.chance(0.1)
        const made = halved ? changes.slice(0, changes.length >> 1) : changes
        const moving = await overseer.moving(name, to, made)
        // What it read before the log went back, a process may write behind it.
        if (disk.era() > 0 && to > (await lastOf(disk))) disk.noteForeignRows(name, host)
        const moved = await disk.write('rows', (on) => on.readModels.move(name, from, to, made)())
        if (E.isRight(moved)) moving()
        return moved
      }),
    close: () => Promise.resolve(),
  }

  /** Leases in a database can be lost on their way, as all else: then nobody here knows who has them. */
  const leases: Leases = {
    take: (name, forMs) => async () => {
      const taken = await call(() => disk.leases().take(name, forMs)(), 0.02)()
      if (E.isLeft(taken)) unsureOf.add(name)
      else unsureOf.delete(name)
      return taken
    },
    renew: (lease, forMs) => call(() => disk.leases().renew(lease, forMs)(), 0.02),
    giveUp: (lease) => call(() => disk.leases().giveUp(lease)(), 0.02),
  }

  return {
    storage: { store, readModels, leases },
    cutOff: (forMs) => {
      cutUntilMs = scheduler.elapsedMs() + forMs
    },
    unsureOf,
    kill: async () => {
      host.end()
      for (const commits of inFlight) if (random.chance(0.5)) await write(commits) // was on its way to the disk
      inFlight.clear()
      if (bug === 'no-fsync') await disk.forget()
    },
  }
}

type Call = <A>(run: () => Promise<Answer<A>>) => TE.TaskEither<Failure, A>

const reading = (
  disk: Disk,
  call: Call,
  overseer: Overseer,
  host: Host,
): Pick<
  EventStore,
  | 'activities'
  | 'pending'
  | 'organizations'
  | 'readLog'
  | 'readActivity'
  | 'readAll'
  | 'head'
  | 'lastPosition'
  | 'importedTo'
  | 'standingsVersion'
> => {
  const now = (): EventStore => disk.storage().store
  return {
    activities: (...asked) => call(() => now().activities(...asked)()),
    pending: (...asked) => call(() => now().pending(...asked)()),
    organizations: (...asked) => call(() => now().organizations(...asked)()),
    readLog: (...asked) => call(() => now().readLog(...asked)()),
    readActivity: (...asked) => call(() => now().readActivity(...asked)()),
    readAll: (...asked) => call(() => now().readAll(...asked)()),
    head: (organization) => () =>
      overseer.readingHead(
        host,
        organization,
        call(() => now().head(organization)()),
      ),
    lastPosition: () => call(() => now().lastPosition()()),
    importedTo: () => now().importedTo(),
    standingsVersion: () => now().standingsVersion(),
  }
}

const lied = ({ expected, events }: Commit, last: bigint): Appended => ({
  _tag: 'committed',
  sequence: (typeof expected === 'bigint' ? expected : 0n) + BigInt(events.length),
  position: last + 1n,
})

const lastOf = async (disk: Disk): Promise<bigint> => {
  const last = await disk.storage().store.lastPosition()()
  return E.isRight(last) ? last.right : 0n
}
