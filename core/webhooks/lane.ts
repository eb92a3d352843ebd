import { activityKey } from '../activity/activity-key.ts'
import type { Failure } from '../failure.ts'
import { E } from '../prelude.ts'
import type { Endpoint, QueuedAt, WebhookRows } from './rows.ts'

/** How many deliveries are under way to one endpoint at once. */
const AT_ONCE = 8
/** After so many failures in a row, one at a time. */
export const FAILURES_MAX = 20
const PAGE = 500

/** What waits for one endpoint, as far as it was read, in the order of the log. */
export type Lane = {
  readonly endpoint: Endpoint
  /** Takes the next delivery that is due, with no other one of its activity before it or under way. */
  readonly take: (nowMs: number) => QueuedAt | undefined
  /** When there is something to take; `undefined` if that is not before something ends, or is read. */
  readonly dueAtMs: () => number | undefined
  /** Whether nothing is known of it that waits, and rows may be read. */
  readonly isUnread: () => boolean
  /** Whether rows may be read with which something can be taken. */
  readonly mayLoad: () => boolean
  readonly load: () => Promise<E.Either<Failure, void>>
  /** Rows were stored, behind all others or anywhere, or the endpoint was changed. */
  readonly more: (isAnywhere?: boolean) => void
  /** Nothing is taken any more, until it hears of `more`. */
  readonly rest: () => void
  /** The attempt at a delivery has ended. @param next  as it stands in the queue now; `undefined` if it is gone from there */
  readonly ended: (taken: QueuedAt, next: QueuedAt | undefined) => void
  /** Counts failures in a row. */
  readonly heard: (isGood: boolean) => number
  /** Whether it has failed so often in a row that it gets one attempt at a time. */
  readonly isAiling: () => boolean
  /** Whether nothing is under way. */
  readonly isIdle: () => boolean
  readonly isEmpty: () => boolean
}

export const lane = (rows: Pick<WebhookRows, 'queue'>, endpoint: Endpoint): Lane => {
  const waiting = new Map<string, QueuedAt>()
  const underWay = new Set<string>()
  /** What has ended while a page was read: the page may have it still. */
  let gone = new Set<string>()
  let loadedTo: bigint | undefined
  let [hasMore, isLoading, isResting] = [true, false, false]
  let failures = 0
  /** Before this time nothing is due of what is known: a search through a long queue is not repeated. */
  let idleUntilMs = 0

  const isAiling = (): boolean => failures >= FAILURES_MAX
  const isFull = (): boolean => underWay.size >= (isAiling() ? 1 : AT_ONCE)

  const take = (nowMs: number): QueuedAt | undefined => {
    if (isResting || isFull() || nowMs < idleUntilMs) return undefined
    const seen = new Set<string>()
    let soonest = Infinity
    for (const queued of waiting.values()) {
      const key = activityKey(queued)
      if (seen.has(key) || underWay.has(key)) continue
      if (queued.dueAtMs <= nowMs) {
        underWay.add(key)
        return queued
      }
      seen.add(key)
      soonest = Math.min(soonest, queued.dueAtMs)
    }
    idleUntilMs = soonest
    return undefined
  }

  const load = async (): Promise<E.Either<Failure, void>> => {
    ;[hasMore, isLoading] = [false, true]
    gone = new Set()
    const read = await rows.queue(endpoint.endpointId, loadedTo, PAGE)
    isLoading = false
    if (E.isLeft(read)) {
      hasMore = true
      return read
    }
    for (const queued of read.right)
      if (!gone.has(queued.deliveryId) && !waiting.has(queued.deliveryId)) waiting.set(queued.deliveryId, queued)
    loadedTo = read.right.at(-1)?.order ?? loadedTo
    hasMore ||= read.right.length === PAGE
    idleUntilMs = 0
    return E.right(undefined)
  }

  const mayLoad = (): boolean => hasMore && !isLoading && !isResting && !isFull()

  return {
    endpoint,
    take,
    isUnread: () => mayLoad() && waiting.size === underWay.size,
    dueAtMs: () => (isResting || isFull() || idleUntilMs === Infinity ? undefined : idleUntilMs),
    mayLoad,
    load,
    more: (isAnywhere = false) => {
      ;[hasMore, isResting] = [true, false]
      if (isAnywhere) loadedTo = undefined
    },
    rest: () => {
      isResting = true
    },
    ended: (taken, next) => {
      underWay.delete(activityKey(taken))
      idleUntilMs = 0
      if (next === undefined) {
        waiting.delete(taken.deliveryId)
        gone.add(taken.deliveryId)
      } else waiting.set(taken.deliveryId, next)
    },
    heard: (isGood) => (failures = isGood ? 0 : failures + 1),
    isAiling,
    isIdle: () => underWay.size === 0,
    isEmpty: () => waiting.size === 0 && underWay.size === 0 && !hasMore && !isLoading,
  }
}
