import { failure, type Failure } from '../failure.ts'
import { isWithin } from '../ports/is-within.ts'
import type { EventStore } from '../ports/event-store.ts'
import type { Storage } from '../ports/storage.ts'
import { E } from '../prelude.ts'
import { feed, PAGE, type Feed, type Page } from './feed.ts'
import type { Follower, FollowerOptions, FollowPorts } from './follower.ts'
import { holderOf } from './holder.ts'
import { keeping } from './keeping.ts'
import { parkedOf, standingOf } from './views.ts'
import type { TellThrown } from '../telemetry/tell-thrown.ts'
import { listenFor, type Listener } from './own-commits.ts'
import { parking } from './parking.ts'
import { place, type Place } from './place.ts'
import { durableProgress, passingProgress } from './progress.ts'
import { retryAll } from './retry-parked.ts'
import { waiters } from './waiters.ts'
import { worker } from './worker.ts'

/**
 * Begins to follow the log. A page is read only after `handle` has taken the page before, and at most some thousand events of own
 * commits are kept in memory.
 *
 * @param name  the name under which checkpoint, rows and parked organizations are stored
 */
export const follow = async (
  { storage, clock, commits, tell, leasing, onParked = ignored, closeWithinMs = 5_000 }: FollowPorts,
  name: string,
  { after = 0n, handle, isDurable = true, onRewound, ...wanted }: FollowerOptions,
): Promise<E.Either<Failure, Follower>> => {
  const { store } = storage
  const events = feed(store, wanted)
  const progress = isDurable ? durableProgress(storage, name, after) : passingProgress(after)
  const held = parking({ store, progress, onParked }, { name, handle, ...wanted })
  const at = place(progress, held.adopt)
  const waiting = waiters()
  let abort = new AbortController()
  /** Another process may have released a parked organization; the store has lost events. */
  let [isDoubtful, isLost] = [false, false]
  /** Closing has ended: work that still runs must not move the checkpoint any more. */
  let [isBegun, isOver] = [false, false]
  let failed: Failure | undefined

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
    if (isDoubtful && ((await look()) !== false || !hasMore())) return
    const page = await events.next(at.checkpoint())
    if (E.isLeft(page)) return fail(page.left)
    if (page.right.end === at.checkpoint()) return reached()
    if (held.concerns(page.right.entries) && (await look()) !== false) return
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

  /** Reads the checkpoint and what is parked; `undefined` if that fails, otherwise whether another process has moved the checkpoint. */
  const look = async (): Promise<boolean | undefined> => {
    const before = at.checkpoint()
    const isElsewhere = await at.reread()
    if (E.isLeft(isElsewhere)) fail(isElsewhere.left)
    if (E.isLeft(isElsewhere)) return undefined
    isDoubtful = false
    if (!isElsewhere.right) return false
    onElsewhere(before)
    reached()
    return true
  }

  const onElsewhere = (before: bigint): void => {
    holder.moved()
    if (at.checkpoint() >= before) return events.pass(at.checkpoint())
    events.clear() // the rows are built again: what was kept may be lost
  }

  /** Another process runs this follower: looks how far that one is, as long as somebody waits here. */
  const goAlong = async (): Promise<void> => {
    const pauseMs = holder.look()
    const isElsewhere = await look()
    if (isElsewhere === undefined) return
    failed = undefined
    waiting.reach(at.checkpoint())
    const forMs = waiting.isEmpty() ? 0 : pauseMs(isElsewhere)
    if (forMs > 0) working.rest(forMs)
  }

  const doubt = (): void => {
    isDoubtful = true
    working.wake()
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
    const recovered = await at.startOver(store.lastPosition())
    if (E.isLeft(recovered)) return fail(recovered.left)
    isLost = false
    events.clear()
    reached()
    onRewound?.()
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
  const holder = holderOf(name, clock, isDurable ? sharedBy(storage, leasing) : undefined, {
    isAwaited: () => !waiting.isEmpty(),
    onTaken: () => {
      events.lookAgain()
      doubt() // another process may have moved the checkpoint, and parked or released something
    },
    onDoubt: doubt,
    onLost: () => {
      abort.abort()
      abort = new AbortController()
    },
    onNews: working.wake,
  })
  const keep = keeping({ at, held, clock, holder, working, onElsewhere })
  const stop = listenFor(store, commits, offer, () => void hear()) // before the end of the log is read, so that no event is missed
  const begun = await begin(store, events, at)
  if (E.isLeft(begun)) stop()
  if (E.isLeft(begun)) return begun
  isBegun = true
  working.wake()

  return E.right({
    name,
    stuck: () => failed,
    offer: (offered) => offer(offered, offered.at(-1)?.position ?? 0n),
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
    ...standingOf({ at, events, holder, waiting, working }),
    ...parkedOf({ held, working, doubt, retry: () => retryAll(at, held, abort.signal) }),
  })
}

/** What keeps several processes from doing the same, where several may write to the store. */
const sharedBy = (
  { store, readModels, leases }: Storage,
  leasing: FollowPorts['leasing'],
): Parameters<typeof holderOf>[2] =>
  leasing === undefined || leases === undefined || store.capabilities.soleWriter ? undefined : { leasing, readModels }

const begin = async (
  { lastPosition }: Pick<EventStore, 'lastPosition'>,
  events: Feed,
  at: Place,
): Promise<E.Either<Failure, void>> => {
  const last = await lastPosition()()
  if (E.isLeft(last)) return last
  events.hear(last.right)
  return at.begin(lastPosition())
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
