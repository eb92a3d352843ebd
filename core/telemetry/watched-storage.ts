import { failure, type Failure } from '../failure.ts'
import type { Clock } from '../ports/clock.ts'
import type { EventStore } from '../ports/event-store.ts'
import type { TellNotice } from '../ports/notice.ts'
import type { ReadModels } from '../ports/read-models.ts'
import type { SealedRows } from '../ports/sealed-rows.ts'
import type { Storage } from '../ports/storage.ts'
import { E, type TE } from '../prelude.ts'
import { causeOf, hasCause, withCause } from './cause.ts'
import { describeThrown } from './tell-thrown.ts'
import { troubles, type Troubles } from './troubles.ts'

/** A storage that tells the operator what fails in it, and remembers whether it takes writes. */
export type WatchedStorage = Storage & {
  /** Why the last write into the log failed; `undefined` if it went well, or if nothing was written yet. */
  readonly refusesWrites: () => Failure | undefined
}

type Task<A> = TE.TaskEither<Failure, A>

/**
 * Watches a storage. When a write into the log has failed, `checkWritable` is called every few seconds until it goes well: a balancer that
 * has taken the process out sends no more commands that could find it out.
 */
export const watchedStorage = (
  { clock, tell }: { readonly clock: Clock; readonly tell: TellNotice },
  { store, readModels, leases, batons, sealed }: Storage,
): WatchedStorage => {
  const writing = troubles({ clock, tell }, 'success')
  const keeping = troubles({ clock, tell }, 'success')
  const reading = troubles({ clock, tell }, 'silence')
  let refusal: Failure | undefined
  let isChecking = false
  let isClosed = false

  const failed = (area: Troubles, what: string, cause: Failure): void => {
    const { code, message } = cause
    if (isClosed || !FAULTS.has(code)) return
    area.note(`${code} ${message}`, () => ({
      level: 'error',
      message: `${what}: ${message}`,
      context: { code, ...causeOf(cause) },
    }))
  }

  const canWrite = (): void => {
    refusal = undefined
    writing.wentWell()
  }

  const cannotWrite = (cause: Failure): void => {
    if (isClosed || !FAULTS.has(cause.code)) return
    refusal = cause
    failed(writing, NO_WRITES, cause)
    if (isChecking) return
    isChecking = true
    clock.after(CHECK_AFTER_MS, () => void check())
  }

  const check = async (): Promise<void> => {
    const found = isClosed || refusal === undefined ? undefined : await unlessThrown(() => store.checkWritable())
    isChecking = false
    if (found === undefined) return
    if (E.isLeft(found)) cannotWrite(found.left)
    else canWrite()
  }

  const append: EventStore['append'] = (commits) => async () => {
    const appended = await unlessThrown(() => store.append(commits))
    if (E.isLeft(appended)) cannotWrite(appended.left)
    else if (appended.right.some(({ _tag }) => _tag === 'committed')) canWrite()
    return appended
  }

  const written = <A>(task: Task<A>): Task<A> => told(task, (cause) => failed(writing, NO_WRITES, cause))
  const kept = <A>(task: Task<A>): Task<A> =>
    told(task, (cause) => failed(keeping, 'rows and snapshots cannot be stored', cause), keeping.wentWell)
  // A failure of a read without a cause says no more than the answer to the request that met it.
  const read = <A>(task: Task<A>): Task<A> =>
    told(task, (cause) => hasCause(cause) && failed(reading, 'the store cannot be read', cause))

  return {
    store: {
      ...watchedLog(store, read, written),
      append,
      close: () => {
        isClosed = true
        for (const area of [writing, keeping, reading]) area.close()
        return store.close()
      },
    },
    readModels: watchedReadModels(readModels, read, kept),
    leases,
    batons,
    sealed: sealed && watchedSealed(sealed, read, written),
    refusesWrites: () => refusal,
  }
}

type Watch = <A>(task: Task<A>) => Task<A>

// Method by method, because the storage of a host may be an instance of a class, whose methods are not its own properties.
const watchedLog = (store: EventStore, read: Watch, written: Watch): Omit<EventStore, 'append' | 'close'> => ({
  capabilities: store.capabilities,
  checkWritable: () => store.checkWritable(),
  readLog: (...args) => read(store.readLog(...args)),
  readActivity: (...args) => read(store.readActivity(...args)),
  readAll: (...args) => read(store.readAll(...args)),
  activities: (...args) => read(store.activities(...args)),
  pending: (...args) => read(store.pending(...args)),
  setStandings: (...args) => written(store.setStandings(...args)),
  standingsVersion: () => read(store.standingsVersion()),
  head: (...args) => read(store.head(...args)),
  lastPosition: () => read(store.lastPosition()),
  organizations: (...args) => read(store.organizations(...args)),
  watch: (onAppended) => store.watch(onAppended),
  importedTo: () => read(store.importedTo()),
  setImportedTo: (...args) => written(store.setImportedTo(...args)),
  eraseParts: (...args) => written(store.eraseParts(...args)),
})

const watchedReadModels = (models: ReadModels, read: Watch, kept: Watch): ReadModels => ({
  checkpoint: (...args) => read(models.checkpoint(...args)),
  move: (...args) => kept(models.move(...args)),
  row: (...args) => read(models.row(...args)),
  rows: (...args) => read(models.rows(...args)),
  watch: models.watch === undefined ? undefined : (onMoved) => models.watch?.(onMoved) ?? nothing,
  drop: (...args) => kept(models.drop(...args)),
  projections: () => read(models.projections()),
  saveSnapshot: (...args) => kept(models.saveSnapshot(...args)),
  snapshot: (...args) => read(models.snapshot(...args)),
  dropSnapshot: (...args) => kept(models.dropSnapshot(...args)),
  snapshotDrops: (...args) => read(models.snapshotDrops(...args)),
  dropSnapshots: () => kept(models.dropSnapshots()),
  close: () => models.close(),
})

const watchedSealed = (sealed: SealedRows, read: Watch, written: Watch): SealedRows => ({
  put: (...args) => written(sealed.put(...args)),
  get: (...args) => read(sealed.get(...args)),
  replace: (...args) => written(sealed.replace(...args)),
  delete: (...args) => written(sealed.delete(...args)),
  deleteAll: (...args) => written(sealed.deleteAll(...args)),
  list: (...args) => read(sealed.list(...args)),
})

const nothing = (): void => undefined

const NO_WRITES = 'the store takes no writes'
const CHECK_AFTER_MS = 5_000

/** The codes that say that the store is at fault, and not what it was asked. */
const FAULTS: ReadonlySet<string> = new Set(['UNAVAILABLE', 'STORE_LOCKED', 'STORE_UNREADABLE', 'INTERNAL'])

const told =
  <A>(task: Task<A>, onFailure: (cause: Failure) => void, onSuccess?: () => void): Task<A> =>
  async () => {
    const outcome = await task()
    if (E.isLeft(outcome)) onFailure(outcome.left)
    else onSuccess?.()
    return outcome
  }

/** When a store throws, the outcome is as unknown as when it does not answer. */
const unlessThrown = async <A>(call: () => Task<A>): Promise<E.Either<Failure, A>> => {
  try {
    return await call()()
  } catch (thrown) {
    return E.left(withCause(failure('UNAVAILABLE', 'the store threw'), () => describeThrown(thrown)))
  }
}
