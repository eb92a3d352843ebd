import type { Failure } from '../failure.ts'
import type { Held } from '../leasing/leasing.ts'
import type { Clock } from '../ports/clock.ts'
import type { Outcome, Outgoing } from '../ports/outgoing.ts'
import type { RowChange } from '../ports/read-models.ts'
import type { TellNotice } from '../ports/notice.ts'
import { E } from '../prelude.ts'
import type { Attempt } from '../resources/webhook-endpoint/deliveries.ts'
import type { TellThrown } from '../telemetry/tell-thrown.ts'
import { FAILURES_MAX, lane, type Lane } from './lane.ts'
import {
  dropEndpoint,
  ended,
  postponed,
  type Endpoint,
  type EndpointRow,
  type QueuedAt,
  type WebhookRows,
} from './rows.ts'
import { dueAfter, outcomeText, verdictOf } from './schedule.ts'

/** What is sent of a delivery. */
export type Made = { readonly headers: { readonly [name: string]: string }; readonly body: Uint8Array }

type Ports = {
  readonly clock: Clock
  readonly outgoing: Pick<Outgoing, 'post'>
  readonly rows: Pick<WebhookRows, 'allEndpoints' | 'queue' | 'delivery'>
  readonly notice: TellNotice
  readonly tell: TellThrown
  /** The lease under which this process sends; `undefined` if another one does. */
  readonly held: () => Held | undefined
  readonly write: (changes: readonly RowChange[]) => Promise<E.Either<Failure, void>>
  /** The endpoint as it stands now. */
  readonly endpointOf: (endpoint: Endpoint) => Promise<E.Either<Failure, EndpointRow | undefined>>
  /** What is sent; `undefined` where the log has the event no more. */
  readonly make: (endpoint: EndpointRow, queued: QueuedAt) => Promise<E.Either<Failure, Made | undefined>>
  /** So many deliveries to the endpoint wait no more. */
  readonly onEnded: (endpointId: string) => void
}

export type Sender = {
  /** Something was queued for these endpoints, or they were changed. */
  readonly queued: (endpoints: Iterable<Endpoint>) => void
  /** Whatever is known of queues is to be read again. */
  readonly startOver: () => void
  /** Ends what is under way. */
  readonly close: () => Promise<void>
}

/** How many deliveries are under way at once, to all endpoints. */
const AT_ONCE = 256
/** How many of them go to endpoints that fail all the time: others need not wait until hundreds of those have timed out. */
const TO_AILING = AT_ONCE / 2
const PAGE = 500
/** The pause after a failure that is not the receiver's. */
const REST_MS = 1_000

/**
 * Sends what waits. It sends nothing where the lease of the follower may have ended, because another process may send the same then. What is under
 * way when it ends is aborted.
 */
export const sender = (ports: Ports): Sender => {
  const { clock, rows, tell } = ports
  const closing = new AbortController()
  const lanes = new Map<string, Lane>()
  const running = new Set<Promise<void>>()
  let [underWay, toAiling] = [0, 0]
  let stopWaiting = (): void => undefined
  /** The lease under which the lanes were read: with another one, they may be old. */
  let heldLast: Held | undefined
  /** Aborted with that lease, or with the sender: one for all deliveries, because signals made of others are kept as long as those. */
  let over = closing.signal
  /** Behind which endpoint the search for queues goes on; `undefined` before its first page. */
  let search: { after: bigint | undefined; isDone: boolean; isRunning: boolean } = newSearch()

  const run = (what: string, job: () => Promise<void>): void => {
    const ran: Promise<void> = job()
      .catch((thrown: unknown) => tell(what, thrown))
      .finally(() => {
        running.delete(ran)
        pump()
      })
    running.add(ran)
  }

  const laneOf = (endpoint: Endpoint): Lane => {
    const found = lanes.get(endpoint.endpointId) ?? lane(rows, endpoint)
    lanes.set(endpoint.endpointId, found)
    return found
  }

  /** Finds the endpoints for which something may wait, page by page. */
  const seek = async (): Promise<void> => {
    const own = search
    own.isRunning = true
    const page = await rows.allEndpoints(own.after, PAGE)
    if (E.isLeft(page)) await rest()
    own.isRunning = false
    if (E.isLeft(page)) return
    if (own !== search) return
    for (const endpoint of page.right) laneOf(endpoint)
    const last = page.right.at(-1)
    own.isDone = last === undefined || page.right.length < PAGE
    if (last !== undefined) own.after = BigInt(last.from)
  }

  /** A pause, which ends with the sender. */
  const rest = (): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        stop()
        closing.signal.removeEventListener('abort', end)
        resolve()
      }
      const stop = clock.after(REST_MS, end)
      closing.signal.addEventListener('abort', end)
    })

  /** Starts what can be started, one delivery of each endpoint after the other. */
  const pump = (): void => {
    const held = ports.held()
    if (closing.signal.aborted || held === undefined) return
    if (heldLast !== held) startAnew(held)
    if (!held.isCertain()) return wakeAt(clock.now() + REST_MS)
    if (!search.isDone && !search.isRunning) run('the search for deliveries', seek)
    startEach(held, (one) => one.isIdle())
    while (startEach(held, () => true));
    const due = [...lanes.values()].flatMap((one) => one.dueAtMs() ?? [])
    const soonest = due.reduce((least, one) => Math.min(least, one), Infinity)
    if (underWay < AT_ONCE && soonest !== Infinity) wakeAt(soonest)
  }

  const wakeAt = (atMs: number): void => {
    stopWaiting()
    stopWaiting = clock.after(Math.min(Math.max(atMs - clock.now(), 1), LONGEST_MS), pump)
  }

  const startAnew = (held: Held): void => {
    heldLast = held
    over = AbortSignal.any([held.lost, closing.signal])
    lanes.clear()
    search = newSearch()
  }

  /** Starts at most one delivery of each of these endpoints; whether it did. Who got one is the last the next time. */
  const startEach = (held: Held, isMeant: (one: Lane) => boolean): boolean => {
    let isAny = false
    for (const [endpointId, one] of [...lanes]) {
      // Also where all places are taken: what is not read could not take the next one.
      if (one.isUnread()) run('the queue of an endpoint', () => load(one))
      if (underWay >= AT_ONCE || !isMeant(one) || !startOne(one, held)) continue
      lanes.delete(endpointId)
      lanes.set(endpointId, one)
      isAny = true
    }
    return isAny
  }

  const startOne = (one: Lane, held: Held): boolean => {
    const isAiling = one.isAiling()
    if (isAiling && toAiling >= TO_AILING) return false
    const queued = one.take(clock.now())
    if (queued !== undefined) {
      const count = (more: 1 | -1): void => {
        underWay += more
        if (isAiling) toAiling += more
      }
      count(1)
      run('a delivery', () => attempt(one, queued, held, over).finally(() => count(-1)))
      return true
    }
    if (one.mayLoad()) run('the queue of an endpoint', () => load(one))
    return false
  }

  const load = async (one: Lane): Promise<void> => {
    const loaded = await one.load()
    if (E.isLeft(loaded)) {
      one.rest()
      await rest()
      one.more()
    } else if (one.isEmpty()) await forget(one)
  }

  /** Nothing waits for an endpoint. If it was deleted for ever, its row goes. */
  const forget = async (one: Lane): Promise<void> => {
    lanes.delete(one.endpoint.endpointId)
    const endpoint = await ports.endpointOf(one.endpoint)
    const found = E.isRight(endpoint) ? endpoint.right : undefined
    if (found?.isDeleted === true && found.isFeature !== true) await ports.write([dropEndpoint(found)])
  }

  const attempt = async (one: Lane, queued: QueuedAt, held: Held, signal: AbortSignal): Promise<void> => {
    const endpoint = await ports.endpointOf(one.endpoint)
    if (E.isLeft(endpoint)) return one.ended(queued, { ...queued, dueAtMs: clock.now() + REST_MS })
    const to = endpoint.right
    if (to === undefined || to.isDeleted === true) return conclude(one, queued, [], undefined)
    if (!to.isActive) {
      one.rest() // until it is changed
      return one.ended(queued, queued)
    }
    const made = await ports.make(to, queued)
    if (E.isLeft(made)) return one.ended(queued, { ...queued, dueAtMs: clock.now() + LATER_MS })
    if (made.right === undefined) return conclude(one, queued, [], undefined)
    const atMs = clock.now()
    const outcome = await ports.outgoing.post({ url: to.url, ...made.right, mayStill: held.isCertain, signal })
    if (verdictOf(outcome) === 'nobody') return one.ended(queued, queued)
    const said = { atMs, durationMs: Math.max(0, clock.now() - atMs), outcome: outcomeText(outcome) }
    await conclude(one, queued, [said], outcome)
  }

  /** Writes what came of a delivery. */
  const conclude = async (
    one: Lane,
    queued: QueuedAt,
    said: readonly Attempt[],
    outcome: Outcome | undefined,
  ): Promise<void> => {
    const { endpoint } = one
    const nowMs = clock.now()
    const verdict = outcome === undefined ? 'given-up' : verdictOf(outcome)
    if (outcome !== undefined) noteFailures(one, verdict === 'delivered', outcome)
    const tries = queued.tries + said.length
    const before = await rows.delivery(endpoint, queued.deliveryId)
    const attempts = [...(E.isRight(before) ? (before.right?.attempts ?? []) : []), ...said]
    const retryAfter = outcome?._tag === 'answered' ? outcome.retryAfter : undefined
    const dueAtMs = verdict === 'again' ? dueAfter({ ...queued, tries }, nowMs, retryAfter) : undefined
    const status = verdict === 'delivered' ? 'WEBHOOK_DELIVERY_STATUS_DELIVERED' : 'WEBHOOK_DELIVERY_STATUS_GIVEN_UP'
    const changes =
      dueAtMs === undefined
        ? ended(endpoint, queued, status, nowMs, attempts)
        : postponed(endpoint, queued, { attempts, tries, dueAtMs })
    await written(changes)
    one.ended(queued, dueAtMs === undefined ? undefined : { ...queued, tries, dueAtMs })
    if (dueAtMs === undefined) ports.onEnded(endpoint.endpointId)
    if (one.isEmpty()) await forget(one)
  }

  /** Writes until it is written, or somebody else sends. */
  const written = async (changes: readonly RowChange[]): Promise<void> => {
    for (;;) {
      const done = await ports.write(changes)
      if (E.isRight(done) || closing.signal.aborted || ports.held() === undefined) return
      await rest()
    }
  }

  const noteFailures = (one: Lane, isGood: boolean, outcome: Outcome): void => {
    if (one.heard(isGood) !== FAILURES_MAX) return
    const { organizationId, endpointId } = one.endpoint
    ports.notice({
      level: 'warn',
      message: 'an endpoint takes no webhooks: it gets one attempt at a time from now on',
      context: { organizationId, endpointId, outcome: outcomeText(outcome) },
    })
  }

  return {
    queued: (endpoints) => {
      for (const endpoint of endpoints) laneOf(endpoint).more()
      pump()
    },
    startOver: () => {
      search = newSearch()
      for (const one of lanes.values()) one.more(true)
      pump()
    },
    close: async () => {
      closing.abort()
      stopWaiting()
      await Promise.all(running)
    },
  }
}

/** The clock's timers take no longer times. */
const LONGEST_MS = 24 * 60 * 60 * 1000
const LATER_MS = 60_000

const newSearch = () => ({ after: undefined, isDone: false, isRunning: false })
