import type { Failure } from '../failure.ts'
import type { Handle } from '../following/handle.ts'
import type { Event } from '../log/event.ts'
import { noParts } from '../log/parts.ts'
import type { Clock } from '../ports/clock.ts'
import type { EventStore } from '../ports/event-store.ts'
import type { RowChange } from '../ports/read-models.ts'
import { E } from '../prelude.ts'
import { decode } from '../codec/codec.ts'
import { Resend, resendWebhookDeliveries } from '../resources/webhook-endpoint/resend-webhook-deliveries.ts'
import { Tested, testWebhookEndpoint } from '../resources/webhook-endpoint/test-webhook-endpoint.ts'
import { deliveryKey, type DeliveryRow } from '../resources/webhook-endpoint/deliveries.ts'
import type { Parents } from '../projection/parents.ts'
import { endpointsByEvents, WAITING_MAX, type EndpointMemory, type NamedEvent } from './endpoints.ts'
import { eventsBetween, resentId, type ToldEvent } from './resending.ts'
import { placeAt, putDelivery, putGivenUp, type EndpointRow, type QueuedAt, type WebhookRows } from './rows.ts'
import { toldStatus, wants, type Told } from './telling.ts'
import { typeOf } from './type-of.ts'

type Ports = {
  readonly store: Pick<EventStore, 'readAll' | 'readActivity'>
  readonly clock: Pick<Clock, 'now'>
  readonly parents: Parents
  readonly memory: EndpointMemory
  readonly rows: WebhookRows
  /** The position up to which events came from another installation: they are not told. */
  readonly importedTo: bigint
}

type Made = Promise<E.Either<Failure, readonly RowChange[]>>

/** What an event orders beside what subscriptions say. */
const ordersIn = (event: Event): { readonly test?: Tested; readonly resend?: Resend } => {
  if (event.type !== 'ActivityCompleted') return {}
  const { type, change } = event.data
  const test = type === testWebhookEndpoint.type ? decode(Tested, 'change')(change) : undefined
  const resend = type === resendWebhookDeliveries.type ? decode(Resend, 'change')(change) : undefined
  return {
    ...(test && E.isRight(test) && { test: test.right }),
    ...(resend && E.isRight(resend) && { resend: resend.right }),
  }
}

/**
 * Handles the events of the log: moves the rows of endpoints, and puts a row for each delivery, and one into its queue. Who is told is decided by
 * the endpoints as they stood at the event, so nothing of the state of now is asked.
 */
export const handling = (ports: Ports): Handle => {
  const { memory, parents, importedTo } = ports
  const queue = queueing(ports)

  const of = async (event: Event, position: bigint): Promise<E.Either<Failure, readonly EndpointRow[]>> => {
    const above = parents.known(event, position) ?? (await parents.read(event.organization))
    const { parent } = '_tag' in above ? (E.isRight(above) ? above.right : { parent: undefined }) : above
    if ('_tag' in above && E.isLeft(above)) return above
    const own = await memory.of(event.organization)
    if (E.isLeft(own) || parent === undefined) return E.map(valuesOf)(own)
    const up = await memory.of(parent.organizationId)
    return E.map((more: ReadonlyMap<string, EndpointRow>) => [...own.right.values(), ...more.values()])(up)
  }

  const take = async (event: Event, position: bigint, changes: RowChange[]): Made => {
    const endpoints = await of(event, position)
    if (E.isLeft(endpoints)) return endpoints
    memory.apply(changes)
    if (position <= importedTo) return E.right(changes)
    // The endpoints are read again: the event may have changed them.
    const now = await of(event, position)
    if (E.isLeft(now)) return now
    const { test, resend } = ordersIn(event)
    const wanted = await whoWants(ports, event, now.right)
    if (E.isLeft(wanted)) return wanted
    const there = now.right.filter(({ isDeleted }) => isDeleted !== true)
    const tested = there.filter(({ endpointId }) => endpointId === test?.endpointId)
    for (const endpoint of new Set([...wanted.right, ...tested])) {
      const queued = await queue(endpoint, { event, position }, { deliveryId: event.id, order: placeAt(position) })
      if (E.isLeft(queued)) return queued
      changes.push(...queued.right)
    }
    const again = there.find(({ endpointId }) => endpointId === resend?.endpointId)
    if (again === undefined || resend === undefined) return E.right(changes)
    const more = await resent(ports, queue, again, resend, { event, position })
    return E.map((made: readonly RowChange[]) => [...changes, ...made])(more)
  }

  return (event, position) => {
    const changes = [...endpointsByEvents.project(event, position, noParts)]
    if (changes.length === 0 && toldStatus(event) === undefined) return []
    const above = parents.known(event, position)
    const near = [event.organization, ...(above?.parent === undefined ? [] : [above.parent.organizationId])]
    const isQuiet = above !== undefined && near.every((id) => memory.peek(id)?.size === 0)
    return isQuiet && changes.length === 0 ? [] : take(event, position, changes)
  }
}

const valuesOf = (endpoints: ReadonlyMap<string, EndpointRow>): readonly EndpointRow[] => [...endpoints.values()]

/** The endpoints that want to be told of an event. */
const whoWants = async (
  { store }: Pick<Ports, 'store'>,
  event: Event,
  endpoints: readonly EndpointRow[],
): Promise<E.Either<Failure, readonly EndpointRow[]>> => {
  const status = toldStatus(event)
  if (status === undefined || endpoints.length === 0) return E.right([])
  const type = await typeOf(store, event)
  return E.map((known: string) => {
    const told: Told = { organizationId: event.organization, type: known, status }
    return endpoints.filter((endpoint) => wants(endpoint, told))
  })(type)
}

type Queue = (
  endpoint: EndpointRow,
  told: NamedEvent,
  as: Pick<QueuedAt, 'deliveryId' | 'order'>,
) => Promise<E.Either<Failure, readonly RowChange[]>>

/** Puts a delivery into the queue of an endpoint; one that finds too many there is given up at once. */
const queueing =
  ({ memory, clock }: Pick<Ports, 'memory' | 'clock'>): Queue =>
  async (endpoint, { event, position }, as) => {
    const waiting = await memory.waiting(endpoint.endpointId)
    if (E.isLeft(waiting)) return waiting
    const nowMs = clock.now()
    const queued: QueuedAt = {
      ...as,
      organizationId: event.organization,
      activityId: event.activity,
      revision: String(event.revision),
      eventId: event.id,
      position: String(position),
      ...{ sinceMs: nowMs, tries: 0, dueAtMs: nowMs },
    }
    if (waiting.right >= WAITING_MAX) return E.right(putGivenUp(endpoint, queued))
    memory.counted(endpoint.endpointId, 1)
    memory.touch(endpoint)
    memory.unstored.set(deliveryKey(endpoint.endpointId, as.deliveryId), { event, position })
    return E.right(putDelivery(endpoint, queued))
  }

/** Queues again what was asked for, each in a row of its own. */
const resent = async (
  ports: Ports,
  queue: Queue,
  endpoint: EndpointRow,
  { eventIds, fromMs, toMs }: Resend,
  { event: { id: askedBy }, position: at }: ToldEvent,
): Made => {
  const found =
    eventIds === undefined
      ? await eventsBetween(ports)(endpoint, { fromMs: Number(fromMs), toMs: Number(toMs) }, at)
      : await eventsNamed(ports, endpoint, eventIds)
  if (E.isLeft(found)) return found
  const changes: RowChange[] = []
  for (const [n, { event, position }] of found.right.entries()) {
    const deliveryId = resentId(endpoint.endpointId, event.id, askedBy)
    const queued = await queue(endpoint, { event, position }, { deliveryId, order: placeAt(at, n + 1) })
    if (E.isLeft(queued)) return queued
    changes.push(...queued.right)
  }
  return E.right(changes)
}

/** The events of deliveries that are listed, or were told right before. What else is named is left out. */
const eventsNamed = async (
  { rows, memory }: Pick<Ports, 'rows' | 'memory'>,
  endpoint: EndpointRow,
  eventIds: readonly string[],
): Promise<E.Either<Failure, readonly NamedEvent[]>> => {
  const found: NamedEvent[] = []
  for (const eventId of new Set(eventIds)) {
    const unstored = memory.unstored.get(deliveryKey(endpoint.endpointId, eventId))
    const row = unstored === undefined ? await rows.delivery(endpoint, eventId) : E.right(undefined)
    if (E.isLeft(row)) return row
    const named = unstored ?? (row.right && namedIn(row.right))
    if (named !== undefined) found.push(named)
  }
  return E.right(found)
}

const namedIn = ({ eventId, activityId, event }: DeliveryRow): NamedEvent => ({
  event: { id: eventId, organization: event.organizationId, activity: activityId, revision: BigInt(event.revision) },
  position: BigInt(event.position),
})
