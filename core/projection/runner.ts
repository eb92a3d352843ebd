import { failure, type Failure } from '../failure.ts'
import { decodeEvent, type Event } from '../log/event.ts'
import type { Clock } from '../ports/clock.ts'
import { LINES } from '../ports/event-store.ts'
import type { Storage } from '../ports/storage.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import { E } from '../prelude.ts'
import { parking, type Parked } from './parking.ts'
import { storedName, type Projection } from './projection.ts'

/** Keeps one projection up with the log. */
export type Runner = {
  readonly name: string
  /** How far the rows are. */
  readonly checkpoint: () => bigint
  /** How many events are known to be durable and are not in the rows yet. */
  readonly lag: () => number
  /** Hands over events that just became durable, in order, so that they need not be read back. */
  readonly offer: (events: readonly Positioned[]) => void
  /** Resolves when the rows hold everything up to the position. */
  readonly passed: (position: bigint, signal?: AbortSignal) => Promise<E.Either<Failure, void>>
  /** The failure that it is stuck at, if it is. It keeps trying. */
  readonly stuck: () => Failure | undefined
  /** The organizations on whose events the projection threw: they are held back, in order, while others go on. */
  readonly parked: () => readonly Parked[]
  readonly holds: (organization: string) => boolean
  /** Tries again what is parked; gives what still is. */
  readonly retryParked: () => Promise<E.Either<Failure, readonly Parked[]>>
  /** Finishes the batch under way. */
  readonly close: () => Promise<void>
}

export type Positioned = { readonly event: Event; readonly position: bigint }

export type RunnerPorts = {
  readonly storage: Storage
  readonly clock: Clock
  readonly onParked?: (parked: Parked) => void
  readonly telemetry?: Telemetry | undefined
}

type Waiter = { readonly position: bigint; readonly resolve: (passed: E.Either<Failure, void>) => void }

const BATCH = 500
/** Offered events that are kept while a batch is written; beyond it they are read from the store. */
const OFFERED_MAX = 10_000
const RETRY_AFTER_MS = 200
/** While nobody waits, events are gathered this long, so that a busy process pays for few moves of the checkpoint. */
const GATHER_MS = 25
/** How far, and about how long, the stored checkpoint may stay behind while events change no row. */
const UNSTORED_MAX = 10_000n
const UNSTORED_MS = 500

export const runner = async (
  { storage, clock, telemetry, onParked = () => undefined }: RunnerPorts,
  projection: Projection,
): Promise<E.Either<Failure, Runner>> => {
  const name = storedName(projection)
  const begun = await beginning(storage, name)
  if (E.isLeft(begun)) return begun
  let { checkpoint } = begun.right
  const held = await parking(storage, projection, onParked)
  if (E.isLeft(held)) return held
  /** The checkpoint as it is stored: events without changes need not move it. */
  let stored = checkpoint
  /** The last position that is known to be in the store: everything up to it has to be projected. */
  let known = begun.right.last
  /** Somebody waits for more than is known: look once whether there is more. */
  let isWanted = false
  let offered: Positioned[] = []
  let isGathering = false
  let isToBeStored = false
  let isClosed = false
  let failed: Failure | undefined
  let work: Promise<void> | undefined
  let waiters: Waiter[] = []

  const wake = (): void => {
    if (work !== undefined || isClosed || (checkpoint >= known && !isWanted)) return
    work = advance()
      .catch(() => fail(failure('INTERNAL', `a batch of the projection ${name} threw`))) // and is tried again
      .finally(() => {
        work = undefined
        if (failed === undefined) wake()
      })
  }

  const gather = (): void => {
    if (isGathering) return
    isGathering = true
    clock.after(GATHER_MS, () => {
      isGathering = false
      wake()
    })
  }

  const advance = async (): Promise<void> => {
    const expected = known
    const batch = await nextBatch()
    if (E.isLeft(batch)) return fail(batch.left)
    const end = batch.right[batch.right.length - 1]
    if (end === undefined) {
      if (known === expected) known = checkpoint // whatever comes will be heard of
      return reach(checkpoint)
    }
    const changes = held.right.project(batch.right)
    if (E.isLeft(changes)) return fail(changes.left)
    if (changes.right.length === 0 && end.position - stored < UNSTORED_MAX) {
      storeLater()
      return reach(end.position)
    }
    const moved = await storage.readModels.move(name, stored, end.position, changes.right)()
    if (E.isLeft(moved)) return moved.left.code === 'CONFLICT' ? adopt(moved.left) : fail(moved.left)
    stored = end.position
    reach(end.position)
  }

  const reach = (position: bigint): void => {
    failed = undefined
    checkpoint = position
    resolveWaiters()
  }

  // Another process runs this projection, too, and was faster: go on from where it is.
  const adopt = async (conflict: Failure): Promise<void> => {
    const moved = await storage.readModels.checkpoint(name)()
    if (E.isLeft(moved) || moved.right === stored) return fail(E.isLeft(moved) ? moved.left : conflict)
    stored = moved.right
    reach(moved.right)
  }

  const nextBatch = async (): Promise<E.Either<Failure, readonly Positioned[]>> => {
    offered = offered.slice(countWhile(offered, ({ position }) => position <= checkpoint))
    const isNext = ({ position }: Positioned, index: number) => position === checkpoint + BigInt(index + 1)
    const size = Math.min(BATCH, countWhile(offered, isNext))
    if (size > 0) {
      const batch = offered.slice(0, size)
      offered = offered.slice(size)
      return E.right(batch)
    }
    isWanted = false
    offered = [] // a gap: there was too much, or another process wrote
    const page = await storage.store.readAll(checkpoint, BATCH, LINES)()
    if (E.isLeft(page)) return page
    const batch: Positioned[] = []
    for (const { line, position } of page.right) {
      const event = decodeEvent(line)
      if (E.isLeft(event)) return event
      batch.push({ event: event.right, position })
    }
    return E.right(batch)
  }

  const fail = (cause: Failure): void => {
    failed = cause
    isWanted = true
    offered = []
    clock.after(RETRY_AFTER_MS, wake)
  }

  const storeLater = (): void => {
    if (isToBeStored) return
    isToBeStored = true
    clock.after(UNSTORED_MS, () => {
      isToBeStored = false
      if (isClosed || stored === checkpoint) return
      if (work === undefined) work = storeCheckpoint().then(resumed, resumed)
      else storeLater()
    })
  }

  const resumed = (): void => {
    work = undefined
    wake()
  }

  const storeCheckpoint = async (): Promise<E.Either<Failure, void>> => {
    if (stored === checkpoint) return E.right(undefined)
    const moved = await storage.readModels.move(name, stored, checkpoint, [])()
    if (E.isRight(moved)) stored = checkpoint
    return moved
  }

  const resolveWaiters = (): void => {
    if (!waiters.some(({ position }) => position <= checkpoint)) return
    const done = waiters.filter(({ position }) => position <= checkpoint)
    waiters = waiters.filter(({ position }) => position > checkpoint)
    for (const { resolve } of done) resolve(E.right(undefined))
  }

  const hear = async (): Promise<void> => {
    const position = await storage.store.lastPosition()()
    if (E.isRight(position) && position.right > known) known = position.right
    wake()
  }

  // A sole writer offers all that there is; from others one hears only that there is something.
  const stopWatching = storage.store.capabilities.soleWriter ? () => undefined : storage.store.watch(() => void hear())
  const lag = (): number => Number(known - checkpoint)
  const stopObserving = telemetry?.observe('countersign.projection.lag', { projection: projection.name }, lag)
  wake()

  return E.right({
    name,
    checkpoint: () => checkpoint,
    lag,
    offer: (events) => {
      for (const positioned of events) {
        if (positioned.position <= known) continue
        if (offered.length < OFFERED_MAX) offered.push(positioned)
        known = positioned.position
      }
      if (waiters.length > 0 || offered.length >= BATCH) wake()
      else gather()
    },
    passed: (position, signal) => {
      if (position <= checkpoint) return Promise.resolve(E.right(undefined))
      if (isClosed) return Promise.resolve(E.left(closing))
      if (signal?.aborted === true) return Promise.resolve(E.left(aborted))
      // Usually it was heard of already. Not so what was stored although the store seemed not to answer.
      isWanted ||= position > known
      wake()
      return new Promise((resolve) => {
        const onAbort = (): void => {
          waiters = waiters.filter((other) => other !== waiter)
          resolve(E.left(aborted))
        }
        const waiter: Waiter = {
          position,
          resolve: (passed) => {
            signal?.removeEventListener('abort', onAbort)
            resolve(passed)
          },
        }
        waiters.push(waiter)
        signal?.addEventListener('abort', onAbort, { once: true })
      })
    },
    stuck: () => failed,
    parked: held.right.list,
    holds: held.right.holds,
    retryParked: async () => {
      for (let current = work; current !== undefined; current = work) await current
      if (isClosed) return E.left(closing)
      const retrying = storeCheckpoint().then((ready) => (E.isLeft(ready) ? ready : held.right.retry(checkpoint)))
      work = retrying.then(() => undefined)
      const retried = await retrying
      work = undefined
      wake()
      return E.map(held.right.list)(retried)
    },
    close: async () => {
      isClosed = true
      stopWatching()
      stopObserving?.()
      await work
      await storeCheckpoint() // not needed, but it saves the next start from reading again
      for (const { resolve } of waiters.splice(0)) resolve(E.left(closing))
    },
  })
}

/** Where a projection goes on, and where the log ends now. */
const beginning = async (
  { store, readModels }: Storage,
  name: string,
): Promise<E.Either<Failure, { readonly checkpoint: bigint; readonly last: bigint }>> => {
  const checkpoint = await readModels.checkpoint(name)()
  const last = await store.lastPosition()()
  if (E.isLeft(checkpoint)) return checkpoint
  if (E.isLeft(last)) return last
  if (checkpoint.right <= last.right) return E.right({ checkpoint: checkpoint.right, last: last.right })
  // The rows come from a log that went further, such as one before a backup was put back: they are built anew.
  return E.map(() => ({ checkpoint: 0n, last: last.right }))(await readModels.drop(name)())
}

/** How many entries from the first on are as `test` says. */
const countWhile = <A>(list: readonly A[], test: (entry: A, index: number) => boolean): number => {
  const end = list.findIndex((entry, index) => !test(entry, index))
  return end < 0 ? list.length : end
}

const aborted = failure('ABORTED', 'stopped waiting for a projection')
const closing = failure('UNAVAILABLE', 'the engine is closing')
