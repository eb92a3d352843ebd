import { failure, type Failure } from '../failure.ts'
import { isWithin } from '../ports/is-within.ts'
import type { EventStore } from '../ports/event-store.ts'
import type { Storage } from '../ports/storage.ts'
import { E } from '../prelude.ts'
import { feed, PAGE, type Feed, type Page } from './feed.ts'
import type { Follower, FollowerOptions, FollowPorts } from './follower.ts'
import { holderOf } from './holder.ts'
import type { TellThrown } from '../telemetry/tell-thrown.ts'
import { listenFor, type Listener } from './own-commits.ts'
import { parking, type Taken } from './parking.ts'
import { place, type Place } from './place.ts'
import { durableProgress, passingProgress } from './progress.ts'
import { retryAll } from './retry-parked.ts'
import { closing, waiters } from './waiters.ts'
import { worker } from './worker.ts'

/** By how many positions, and about how long, the stored checkpoint may stay behind while events change no row. */
const UNSTORED_MAX = 10_000n
const UNSTORED_MS = 500

/**
 * Begins to follow the log. A page is read only after `handle` has taken the page before, and at most some thousand events of own
 * commits are kept in memory.
 *
 * @param name  the name under which checkpoint, rows and parked organizations are stored
 */
export const follow = async (
  { storage, clock, commits, tell, leasing, onParked = ignored, closeWithinMs = 5_000 }: FollowPorts,
  name: string,
  { after = 0n, handle, isDurable = true, ...wanted }: FollowerOptions,
): Promise<E.Either<Failure, Follower>> => {
  const { store, readModels } = storage
  const events = feed(store, wanted)
  const progress = isDurable ? durableProgress(storage, name, after) : passingProgress(after)
  const held = parking({ store, progress, onParked }, { name, handle, ...wanted })
  const at = place(progress, held.adopt)
  const waiting = waiters()
  let abort = new AbortController()
  let isBegun = false
  let isToBeStored = false
  /** Another process may have released a parked organization; the store has lost events. */
  let [isDoubtful, isLost] = [false, false]
  /** Closing has ended: work that still runs must not move the checkpoint any more. */
  let isOver = false
  let failed: Failure | undefined
  /** Another process has moved a checkpoint, perhaps this one. */
  let isToldOfMove = false

  const hasMore = (): boolean => events.hasMore(at.checkpoint())

  const fail = (cause: Failure): void => {
    failed = cause
    events.lookAgain()
    working.rest()
  }

  const reached = (): void => {
    failed = undefined
    events.hear(at.checkpoint()) // another process may have stored a later checkpoint
    waiting.reach(at.checkpoint())
  }

  const advance = async (): Promise<void> => {
    if (isLost) return recover()
    if (holder.isDue()) await holder.ask()
    if (!holder.isHere()) return goAlong()
    if (isDoubtful && ((await hasToGoElsewhere()) || !hasMore())) return
    const page = await events.next(at.checkpoint())
    if (E.isLeft(page)) return fail(page.left)
    if (page.right.end === at.checkpoint()) return reached()
    if (held.concerns(page.right.entries) && (await hasToGoElsewhere())) return
    return take(page.right)
  }

  const take = async ({ entries, end }: Page): Promise<void> => {
    const taken = await held.take(entries, abort.signal)
    if (isOver) return
    if (E.isLeft(taken)) return fail(taken.left)
    const { count, refusal } = taken.right
    const to = count === entries.length ? end : (entries[count - 1]?.position ?? at.checkpoint())
    const kept = await keep(to, taken.right)
    if (E.isLeft(kept)) return fail(kept.left)
    reached()
    if (refusal !== undefined) fail(refusal)
  }

  const keep = async (to: bigint, { changes, isAwaited }: Taken): Promise<E.Either<Failure, unknown>> => {
    if (changes.length === 0 && !isAwaited && !holder.isShared && at.unstored(to) < UNSTORED_MAX) {
      at.reach(to)
      storeLater()
      return E.right(undefined)
    }
    const stored = await at.move(to, changes)
    if (E.isRight(stored) && stored.right) held.stored()
    if (E.isRight(stored) && !stored.right) holder.moved()
    return stored
  }

  /** True if another process has moved the checkpoint, or if the checkpoint cannot be read: then this batch is not taken. */
  const hasToGoElsewhere = async (): Promise<boolean> => {
    const isElsewhere = await at.reread()
    if (E.isLeft(isElsewhere)) {
      fail(isElsewhere.left)
      return true
    }
    isDoubtful = false
    if (isElsewhere.right) moved()
    return isElsewhere.right
  }

  const moved = (): void => {
    holder.moved()
    events.pass(at.checkpoint())
    reached()
  }

  /** Another process runs this follower: looks how far that one is, as long as somebody waits here. */
  const goAlong = async (): Promise<void> => {
    isDoubtful = isToldOfMove = false
    const isElsewhere = await at.reread()
    if (E.isLeft(isElsewhere)) return fail(isElsewhere.left)
    failed = undefined
    if (isElsewhere.right) moved()
    if (!waiting.isEmpty() && !isToldOfMove) working.rest(holder.pauseMs(isElsewhere.right))
  }

  const storeLater = (): void => {
    if (isToBeStored) return
    isToBeStored = true
    clock.after(UNSTORED_MS, () => {
      isToBeStored = false
      if (working.isClosed() || at.unstored(at.checkpoint()) === 0n) return
      if (working.isIdle()) working.run(at.store)
      else storeLater()
    })
  }

  const hear = async (): Promise<void> => {
    const before = at.checkpoint()
    const position = await store.lastPosition()()
    if (E.isRight(position)) events.hear(position.right)
    if (E.isRight(position) && position.right < before) isLost = true
    working.wake()
  }

  /** Where the store has lost events, what was taken of them has to go. */
  const recover = async (): Promise<void> => {
    const last = await store.lastPosition()()
    const recovered = E.isLeft(last) ? last : await at.startOver(last.right)
    if (E.isLeft(recovered)) return fail(recovered.left)
    isLost = false
    events.clear()
    reached()
  }

  const offer: Listener = (offered, last) => {
    events.hear(last)
    if (!holder.isHere()) return
    events.offer(offered)
    if (!waiting.isEmpty() || events.kept() >= PAGE) working.wake()
    else working.wakeSoon() // while nobody waits, a busy process moves the checkpoint only a few times
  }

  const working = worker({
    clock,
    hasWork: () =>
      isBegun && (isDoubtful || isLost || holder.isDue() || (holder.isHere() ? hasMore() : !waiting.isEmpty())),
    job: advance,
    onThrown: ifThrown(name, tell, fail),
  })
  const holder = holderOf({ leasing: isDurable && isShared(storage) ? leasing : undefined, clock }, name, {
    isAwaited: () => !waiting.isEmpty(),
    onTaken: () => {
      isDoubtful = true // another process may have moved the checkpoint, and parked or released something
      events.lookAgain()
      working.wake()
    },
    onLost: () => {
      abort.abort()
      abort = new AbortController()
    },
    onDue: () => working.wake(),
  })
  const hearOfMove = (): void => {
    isToldOfMove = true
    if (!holder.isHere() && !waiting.isEmpty()) working.wake()
  }
  const stops = [
    listenFor(store, commits, offer, () => void hear()), // before the end of the log is read, so that no event is missed
    holder.isShared ? readModels.watch?.(hearOfMove) : undefined,
  ]
  const stop = (): void => stops.forEach((end) => end?.())
  const begun = await begin(store, events, at)
  if (E.isLeft(begun)) stop()
  if (E.isLeft(begun)) return begun
  isBegun = true
  working.wake()

  return E.right({
    name,
    checkpoint: at.checkpoint,
    lag: () => Number(events.known() - at.checkpoint()),
    offer: (offered) => offer(offered, offered.at(-1)?.position ?? 0n),
    passed: (position, signal) => {
      if (position <= at.checkpoint()) return Promise.resolve(E.right(undefined))
      if (working.isClosed()) return Promise.resolve(E.left(closing))
      const passed = waiting.join(position, signal)
      // Usually the feed knows the position. It does not if a commit was stored although the store gave no answer.
      if (position > events.known()) events.lookAgain()
      working.wake()
      return passed
    },
    stuck: () => failed,
    parked: held.list,
    parkedCount: held.count,
    holds: (organization) => {
      if (!held.holds(organization)) return false
      isDoubtful = true
      working.wake()
      return true
    },
    retryParked: async () => {
      await working.idle()
      if (working.isClosed()) return E.left(closing)
      const retrying = retryAll(at, held, abort.signal)
      working.run(() => retrying)
      return (await working.unlessClosed(retrying)) ?? E.left(closing)
    },
    startOver: async () => {
      isLost = true
      working.wake()
      await working.idle()
    },
    close: async () => {
      abort.abort()
      stop()
      const isIdle = await working.close(closeWithinMs)
      isOver = true
      if (isIdle) await at.store() // not needed, but the next start need not read these events again
      await isWithin(clock, closeWithinMs, holder.close())
      waiting.close()
    },
  })
}

/** Whether several processes may write to the store, and leases keep two from doing the same. */
const isShared = ({ store, leases }: Storage): boolean => !store.capabilities.soleWriter && leases !== undefined

const begin = async (
  { lastPosition }: Pick<EventStore, 'lastPosition'>,
  events: Feed,
  at: Place,
): Promise<E.Either<Failure, void>> => {
  const last = await lastPosition()()
  if (E.isLeft(last)) return last
  events.hear(last.right)
  return at.begin(last.right)
}

const ignored = (): void => undefined

/** Tells of a batch that threw. `fail` lets it be tried again. */
const ifThrown =
  (name: string, tell: TellThrown | undefined, fail: (cause: Failure) => void) =>
  (thrown: unknown): void => {
    const batch = `a batch of the follower ${name}`
    tell?.(batch, thrown)
    fail(failure('INTERNAL', `${batch} threw`))
  }
