import { failure, type Failure } from '../failure.ts'
import { isWithin } from '../ports/is-within.ts'
import type { RowChange } from '../ports/read-models.ts'
import type { Storage } from '../ports/storage.ts'
import { E } from '../prelude.ts'
import type { TellThrown } from '../telemetry/tell-thrown.ts'
import { advance } from './advance.ts'
import { feed } from './feed.ts'
import type { Follower, FollowerOptions, FollowPorts } from './follower.ts'
import { holderOf } from './holder.ts'
import { doubt, fail, hasWork, type Inside } from './inside.ts'
import { keeping } from './keeping.ts'
import { listen, offering } from './listen.ts'
import { parking } from './parking.ts'
import { place } from './place.ts'
import { durableProgress, keptProgress, passingProgress } from './progress.ts'
import { parkedOf, progressOf } from './views.ts'
import { waiters } from './waiters.ts'
import { worker } from './worker.ts'

/**
 * Begins to follow the log. A page is read only after `handle` has taken the page before, and at most some thousand events of own
 * commits are kept in memory.
 *
 * @param name  the name under which checkpoint, rows and parked organizations are stored
 */
export const follow = async (
  ports: FollowPorts,
  name: string,
  options: FollowerOptions,
): Promise<E.Either<Failure, Follower>> => {
  const on = insideOf(ports, name, options)
  const stop = listen(on, ports.storage.store, ports.commits) // before the end of the log is read, so that no event is missed
  const begun = await begin(on)
  if (E.isLeft(begun)) {
    stop()
    return begun
  }
  on.isBegun = true
  on.working.wake()
  return E.right({
    name,
    stuck: () => on.failed,
    offer: (offered) => offering(on)(offered, offered.at(-1)?.position ?? 0n),
    startOver: async () => {
      on.isLost = true
      on.working.wake()
      await on.working.idle()
    },
    held: on.holder.held,
    write: (changes) => write(ports.storage, name, changes),
    close: async () => {
      stop()
      await close(on, ports)
    },
    ...progressOf(on),
    ...parkedOf(on),
  })
}

const insideOf = (
  { storage, clock, tell, leasing, onParked = ignored }: FollowPorts,
  name: string,
  options: FollowerOptions,
): Inside => {
  const {
    after = 0n,
    handle,
    isDurable = true,
    kept,
    onRewound,
    onStored = ignored,
    onStale = ignored,
    ...wanted
  } = options
  const { store } = storage
  const progress = !isDurable
    ? passingProgress(after)
    : kept === undefined
      ? durableProgress(storage, name, after)
      : keptProgress(storage, name, kept)
  const held = parking({ store, progress, onParked }, { name, handle, ...wanted })
  const on: Inside = {
    store,
    at: place(progress, held.adopt),
    events: feed(store, wanted),
    held,
    waiting: waiters(),
    keep: keeping(clock),
    working: worker({
      clock,
      hasWork: () => hasWork(on),
      job: () => advance(on),
      onThrown: (thrown) => batchThrew(on, name, tell, thrown),
    }),
    holder: holderOf(name, clock, isDurable ? sharedBy(storage, leasing) : undefined, {
      isAwaited: () => !on.waiting.isEmpty(),
      onTaken: () => {
        on.events.lookAgain()
        doubt(on) // another process may have moved the checkpoint, and parked or released something
        onStale()
        onStored()
      },
      onDoubt: () => doubt(on),
      onLost: () => {
        on.abort.abort()
        on.abort = new AbortController()
      },
      onNews: () => on.working.wake(),
    }),
    onRewound,
    onStored,
    onStale,
    abort: new AbortController(),
    isBegun: false,
    isDoubtful: false,
    isLost: false,
    isOver: false,
    failed: undefined,
  }
  return on
}

const close = async (on: Inside, { clock, closeWithinMs = 5_000 }: FollowPorts): Promise<void> => {
  on.abort.abort()
  const isIdle = await on.working.close(closeWithinMs)
  on.isOver = true
  if (isIdle) await on.at.store() // not needed, but the next start need not read these events again
  await isWithin(clock, closeWithinMs, on.holder.close())
  on.waiting.close()
}

/** What keeps several processes from doing the same, where several may write to the store. */
const sharedBy = (
  { store, readModels, leases }: Storage,
  leasing: FollowPorts['leasing'],
): Parameters<typeof holderOf>[2] =>
  leasing === undefined || leases === undefined || store.capabilities.soleWriter ? undefined : { leasing, readModels }

/** Another process, or a batch of this one, may move the checkpoint meanwhile: whatever it is, it stays. */
const write = async (
  { readModels }: Storage,
  name: string,
  changes: readonly RowChange[],
): Promise<E.Either<Failure, void>> => {
  for (let tries = 1; ; tries += 1) {
    const checkpoint = await readModels.checkpoint(name)()
    if (E.isLeft(checkpoint)) return checkpoint
    const written = await readModels.move(name, checkpoint.right, checkpoint.right, changes)()
    if (E.isRight(written) || written.left.code !== 'CONFLICT' || tries >= WRITES_MAX) return written
  }
}
const WRITES_MAX = 100

const begin = async ({ store, events, at }: Inside): Promise<E.Either<Failure, void>> => {
  const last = await store.lastPosition()()
  if (E.isLeft(last)) return last
  events.hear(last.right)
  return at.begin(store.lastPosition())
}

const ignored = (): void => undefined

/** Tells of a batch that threw, and lets it be tried again. */
const batchThrew = (on: Inside, name: string, tell: TellThrown | undefined, thrown: unknown): void => {
  const batch = `a batch of the follower ${name}`
  tell?.(batch, thrown)
  fail(on, failure('INTERNAL', `${batch} threw`))
}
