import { failure, type Failure } from '../failure.ts'
import { decodeEvent, type Event } from '../log/event.ts'
import type { Clock } from '../ports/clock.ts'
import type { RowChange } from '../ports/read-models.ts'
import type { Storage } from '../ports/storage.ts'
import { E } from '../prelude.ts'
import { storedName, type Projection } from './projection.ts'

/** Keeps one projection up with the log. */
export type Runner = {
  readonly name: string
  /** How far the rows are. */
  readonly checkpoint: () => bigint
  /** Hands over events that just became durable, in order, so that they need not be read back. */
  readonly offer: (events: readonly Positioned[]) => void
  /** Resolves when the rows hold everything up to the position. */
  readonly passed: (position: bigint, signal?: AbortSignal) => Promise<E.Either<Failure, void>>
  /** The failure that it is stuck at, if it is. It keeps trying. */
  readonly stuck: () => Failure | undefined
  /** Finishes the batch under way. */
  readonly close: () => Promise<void>
}

export type Positioned = { readonly event: Event; readonly position: bigint }

type Waiter = { readonly position: bigint; readonly resolve: (passed: E.Either<Failure, void>) => void }

const BATCH = 500
/** Offered events that are kept while a batch is written; beyond it they are read from the store. */
const OFFERED_MAX = 10_000
const RETRY_AFTER_MS = 200

export const runner = async (
  { storage, clock }: { readonly storage: Storage; readonly clock: Clock },
  projection: Projection,
): Promise<E.Either<Failure, Runner>> => {
  const name = storedName(projection)
  const begun = await storage.readModels.checkpoint(name)()
  const last = await storage.store.lastPosition()()
  if (E.isLeft(begun)) return begun
  if (E.isLeft(last)) return last
  let checkpoint = begun.right
  /** The last position that is known to be in the store: everything up to it has to be projected. */
  let known = last.right
  let offered: Positioned[] = []
  let isClosed = false
  let failed: Failure | undefined
  let work: Promise<void> | undefined
  let waiters: Waiter[] = []

  const wake = (): void => {
    if (work !== undefined || isClosed || checkpoint >= known) return
    work = advance().finally(() => {
      work = undefined
      if (failed === undefined) wake()
    })
  }

  const advance = async (): Promise<void> => {
    const batch = await nextBatch()
    if (E.isLeft(batch)) return fail(batch.left)
    const end = batch.right[batch.right.length - 1]
    if (end === undefined) return
    const changes: RowChange[] = []
    for (const { event, position } of batch.right) changes.push(...projection.project(event, position))
    const moved = await storage.readModels.move(name, checkpoint, end.position, changes)()
    if (E.isLeft(moved)) return fail(moved.left)
    failed = undefined
    checkpoint = end.position
    resolveWaiters()
  }

  const nextBatch = async (): Promise<E.Either<Failure, readonly Positioned[]>> => {
    if (offered[0]?.position === checkpoint + 1n) {
      const batch = offered.slice(0, BATCH)
      offered = offered.slice(BATCH)
      return E.right(batch)
    }
    offered = [] // a gap: there was too much, or another process wrote
    const page = await storage.store.readAll(checkpoint, BATCH)()
    if (E.isLeft(page)) return page
    const batch: Positioned[] = []
    for (const { line, position } of page.right) {
      const event = decodeEvent(line)
      if (E.isLeft(event)) return event
      batch.push({ event: event.right, position })
    }
    return E.right(batch)
  }

  const fail = async (cause: Failure): Promise<void> => {
    failed = cause
    offered = []
    clock.after(RETRY_AFTER_MS, wake)
    if (cause.code !== 'CONFLICT') return
    const moved = await storage.readModels.checkpoint(name)() // somebody else moved it
    if (E.isRight(moved)) checkpoint = moved.right
  }

  const resolveWaiters = (): void => {
    if (!waiters.some(({ position }) => position <= checkpoint)) return
    const done = waiters.filter(({ position }) => position <= checkpoint)
    waiters = waiters.filter(({ position }) => position > checkpoint)
    for (const { resolve } of done) resolve(E.right(undefined))
  }

  // A sole writer offers all that there is; from others one hears only that there is something.
  const stopWatching = storage.store.capabilities.soleWriter
    ? () => undefined
    : storage.store.watch(() => {
        void storage.store
          .lastPosition()()
          .then((position) => {
            if (E.isRight(position) && position.right > known) known = position.right
            wake()
          })
      })
  wake()

  return E.right({
    name,
    checkpoint: () => checkpoint,
    offer: (events) => {
      for (const positioned of events) {
        if (positioned.position <= known) continue
        if (offered.length < OFFERED_MAX) offered.push(positioned)
        known = positioned.position
      }
      wake()
    },
    passed: (position, signal) => {
      if (position <= checkpoint) return Promise.resolve(E.right(undefined))
      if (isClosed) return Promise.resolve(E.left(closing))
      return new Promise((resolve) => {
        const waiter: Waiter = { position, resolve }
        waiters.push(waiter)
        signal?.addEventListener('abort', () => {
          waiters = waiters.filter((other) => other !== waiter)
          resolve(E.left(failure('ABORTED', 'stopped waiting for a projection')))
        })
      })
    },
    stuck: () => failed,
    close: async () => {
      isClosed = true
      stopWatching()
      await work
      for (const { resolve } of waiters.splice(0)) resolve(E.left(closing))
    },
  })
}

const closing = failure('UNAVAILABLE', 'the engine is closing')
