import type { Failure } from '../failure.ts'
import type { Kept, Restart } from '../following/progress.ts'
import { decodeEvent, type Event } from '../log/event.ts'
import { noParts } from '../log/parts.ts'
import type { Clock } from '../ports/clock.ts'
import { LINES, type EventStore } from '../ports/event-store.ts'
import type { RowChange } from '../ports/read-models.ts'
import { E } from '../prelude.ts'
import type { DeliveryRow } from '../resources/webhook-endpoint/deliveries.ts'
import { applied, endpointsByEvents } from './endpoints.ts'
import { changedEndpoint, ended, putEndpoint, type EndpointRow, type WebhookRows } from './rows.ts'

type Store = Pick<EventStore, 'readAll' | 'lastPosition'>
type Ports = { readonly store: Store; readonly rows: WebhookRows; readonly clock: Pick<Clock, 'now'> }

const PAGE = 500

/**
 * Where the follower goes on. The first time it begins at the end of the log, with the endpoints that are there: what happened before is not told.
 * Where the store has lost events, it goes back to the newest event that it told and that the log still has.
 */
export const beginning = (ports: Ports): Kept => ({
  begin: async () => {
    const last = await ports.store.lastPosition()()
    if (E.isLeft(last)) return last
    const standing = await endpointsAt(ports.store, last.right)
    return E.map((endpoints: readonly EndpointRow[]): Restart => {
      const changes = endpoints.filter(({ isDeleted }) => isDeleted !== true).map(putEndpoint)
      return { checkpoint: last.right, changes }
    })(standing)
  },
  resume: async () => {
    const last = await ports.store.lastPosition()()
    if (E.isLeft(last)) return last
    const before = await everyEndpoint(ports.rows)
    if (E.isLeft(before)) return before
    const changes: RowChange[] = []
    let found: bigint | undefined
    for (const endpoint of before.right) {
      const told = await lastTold(ports, endpoint)
      if (E.isLeft(told)) return told
      changes.push(...told.right.changes)
      const { position } = told.right
      if (position !== undefined && (found === undefined || position > found)) found = position
    }
    const checkpoint = found ?? last.right
    const standing = await endpointsAt(ports.store, checkpoint)
    if (E.isLeft(standing)) return standing
    return E.right({ checkpoint, changes: [...changes, ...endpointChanges(before.right, standing.right)] })
  },
})

/** What makes the endpoints those that stand. One whose event is gone is told nothing more. */
const endpointChanges = (before: readonly EndpointRow[], after: readonly EndpointRow[]): readonly RowChange[] => {
  const standing = new Set(after.map(({ endpointId }) => endpointId))
  const known = new Set(before.map(({ endpointId }) => endpointId))
  return [
    ...after.filter(({ endpointId, isDeleted }) => known.has(endpointId) || isDeleted !== true).map(putEndpoint),
    ...before
      .filter(({ endpointId }) => !standing.has(endpointId))
      .map((one) => changedEndpoint(one, { isDeleted: true })),
  ]
}

/** The endpoints of all organizations after the event at a position. */
export const endpointsAt = async (
  store: Pick<Store, 'readAll'>,
  position: bigint,
): Promise<E.Either<Failure, readonly EndpointRow[]>> => {
  const known = new Map<string, Map<string, EndpointRow>>()
  for (let after = 0n; ;) {
    const page = await store.readAll(after, PAGE, LINES)()
    if (E.isLeft(page)) return page
    for (const one of page.right) {
      after = one.position
      const event = after > position ? undefined : decodeEvent(one.line)
      if (event === undefined || E.isLeft(event)) continue // what this version cannot read is parked
      for (const change of changesBy(event.right, after)) applied(known, change)
    }
    if (page.right.length < PAGE || after >= position)
      return E.right([...known.values()].flatMap((endpoints) => [...endpoints.values()]))
  }
}

/** How an event changes endpoints. One that this version cannot read changes none: the follower parks its organization when it meets the next. */
const changesBy = (event: Event, position: bigint): readonly RowChange[] => {
  try {
    return endpointsByEvents.project(event, position, noParts)
  } catch {
    return []
  }
}

const everyEndpoint = async (rows: WebhookRows): Promise<E.Either<Failure, readonly EndpointRow[]>> => {
  const all: EndpointRow[] = []
  for (let after: bigint | undefined; ;) {
    const page = await rows.allEndpoints(after, PAGE)
    if (E.isLeft(page)) return page
    all.push(...page.right)
    const last = page.right.at(-1)
    if (last === undefined || page.right.length < PAGE) return E.right(all)
    after = BigInt(last.from)
  }
}

/** The newest event that was told to an endpoint and is in the log; deliveries of others are given up. */
const lastTold = async (
  { store, rows, clock }: Ports,
  endpoint: EndpointRow,
): Promise<E.Either<Failure, { readonly position: bigint | undefined; readonly changes: readonly RowChange[] }>> => {
  const changes: RowChange[] = []
  for (let after: bigint | undefined; ;) {
    const page = await rows.newest(endpoint, after, PAGE)
    if (E.isLeft(page)) return page
    for (const row of page.right) {
      const there = await isThere(store, row)
      if (E.isLeft(there)) return there
      if (!there.right) {
        if (row.status === 'WEBHOOK_DELIVERY_STATUS_WAITING')
          changes.push(...ended(endpoint, row, 'WEBHOOK_DELIVERY_STATUS_GIVEN_UP', clock.now()))
      } else if (row.deliveryId === row.eventId) return E.right({ position: BigInt(row.event.position), changes })
    }
    const last = page.right.at(-1)
    if (last === undefined || page.right.length < PAGE) return E.right({ position: undefined, changes })
    after = BigInt(last.place)
  }
}

/** Whether the log has the event of a delivery at its position. */
const isThere = async (
  store: Pick<Store, 'readAll'>,
  { eventId, event: { position } }: DeliveryRow,
): Promise<E.Either<Failure, boolean>> => {
  const read = await store.readAll(BigInt(position) - 1n, 1, LINES)()
  if (E.isLeft(read)) return read
  const [first] = read.right
  const event = first?.position === BigInt(position) ? decodeEvent(first.line) : undefined
  return E.right(event !== undefined && E.isRight(event) && event.right.id === eventId)
}
