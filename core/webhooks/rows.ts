import * as t from '../codec/t.ts'
import { decode } from '../codec/codec.ts'
import { storedName } from '../definition/projection.ts'
import type { Failure, Json } from '../failure.ts'
import type { ReadModels, RowChange } from '../ports/read-models.ts'
import { E } from '../prelude.ts'
import {
  deliveries,
  deliveryFacets,
  deliveryKey,
  type DeliveryRow,
  type DeliveryStatus,
} from '../resources/webhook-endpoint/deliveries.ts'
import { Subscription } from '../resources/webhook-endpoint/subscription.ts'
import { ownError } from '../telemetry/tell-thrown.ts'

/*
 * The rows of the follower, beside the deliveries that lists show. They belong to no organization, so that all endpoints can be found.
 */

/** The name under which all rows are kept. */
export const ROWS = storedName(deliveries)
const ENDPOINTS = '!endpoints'
const ENDED = '!ended'
const queueOf = (endpointId: string): string => `!queue ${endpointId}`

/** An endpoint as it stood at the follower's checkpoint. That of a feature has the id of its organization, and gets the body alone. */
export const EndpointRow = t.fields(
  {
    organizationId: t.string,
    endpointId: t.string,
    url: t.string,
    isActive: t.boolean,
    subscriptions: t.readonlyArray(Subscription),
    /** The position of the event that has made it. */
    from: t.string,
  },
  /** `isDeleted`: it is told nothing more; its queue is being emptied. */
  { isFeature: t.boolean, isDeleted: t.boolean },
)
export type EndpointRow = t.TypeOf<typeof EndpointRow>

/** Something that waits to be told to an endpoint: an activity as it stood after an event. */
export const Queued = t.fields({
  /** Where the activity is: in the endpoint's organization, or below it. */
  organizationId: t.string,
  activityId: t.string,
  revision: t.string,
  deliveryId: t.string,
  eventId: t.string,
  position: t.string,
  sinceMs: t.number,
  tries: t.number,
  dueAtMs: t.number,
})
export type Queued = t.TypeOf<typeof Queued>

/** A row of a queue with its place there. */
export type QueuedAt = Queued & { readonly order: bigint }

const Ended = t.fields({ organizationId: t.string, key: t.string })

/** Of the events that one event lets be told, which is at most as many as a resend has. */
const PLACES_BITS = 14n
/** The place of a delivery among those of its endpoint: by the event that lets it be told, and its number among these. */
export const placeAt = (position: bigint, n = 0): bigint => (position << PLACES_BITS) + BigInt(n)

export const EVENT_TYPE = 'ACTIVITY_UPDATES'

export type Endpoint = Pick<EndpointRow, 'organizationId' | 'endpointId'>

export const endpointKey = ({ organizationId, endpointId }: Endpoint): string => `${organizationId} ${endpointId}`

export const putEndpoint = (endpoint: EndpointRow): RowChange => ({
  _tag: 'put',
  organization: ENDPOINTS,
  key: endpointKey(endpoint),
  order: BigInt(endpoint.from),
  facets: { first: endpoint.organizationId },
  value: EndpointRow.encode(endpoint) as Json, // a codec of JSON
})

/** An endpoint with other values; no change where there is none. */
export const changedEndpoint = (
  endpoint: Endpoint,
  value: { readonly url: string; readonly isActive: boolean } | { readonly isDeleted: true },
): RowChange => ({ _tag: 'merge', organization: ENDPOINTS, key: endpointKey(endpoint), facets: {}, value })

/** An endpoint after one of these two changes. */
export const endpointAfter = (before: EndpointRow | undefined, change: RowChange): EndpointRow | undefined => {
  if (change._tag === 'put') return read(EndpointRow, change.value)
  return change._tag === 'merge' && before !== undefined ? { ...before, ...change.value } : before
}

export const dropEndpoint = (endpoint: EndpointRow): RowChange => ({
  _tag: 'delete',
  organization: ENDPOINTS,
  key: endpointKey(endpoint),
})

/** What is put for a delivery: the row that lists show, and the one in the queue. */
export const putDelivery = (
  { organizationId, endpointId }: EndpointRow,
  { order, ...queued }: QueuedAt,
): readonly RowChange[] => [
  deliveryRow({ organizationId, endpointId }, { order, ...queued }, 'WEBHOOK_DELIVERY_STATUS_WAITING'),
  {
    _tag: 'put',
    organization: queueOf(endpointId),
    key: queued.deliveryId,
    order,
    facets: {},
    value: Queued.encode(queued) as Json, // a codec of JSON
  },
]

/** What is put for a delivery that finds too many that wait. */
export const putGivenUp = (endpoint: EndpointRow, queued: QueuedAt): readonly RowChange[] => [
  deliveryRow(endpoint, queued, 'WEBHOOK_DELIVERY_STATUS_GIVEN_UP'),
  endedRow(endpoint, queued, queued.sinceMs + KEPT_MS.WEBHOOK_DELIVERY_STATUS_GIVEN_UP),
]

const deliveryRow = (
  { organizationId, endpointId }: Endpoint,
  { deliveryId, eventId, activityId, order, ...queued }: QueuedAt,
  status: DeliveryStatus,
): RowChange => ({
  _tag: 'put',
  organization: organizationId,
  key: deliveryKey(endpointId, deliveryId),
  order,
  facets: deliveryFacets(endpointId, status),
  value: {
    ...{ deliveryId, eventId, activityId, eventType: EVENT_TYPE, status },
    event: { organizationId: queued.organizationId, revision: queued.revision, position: queued.position },
    ...{ attempts: [], place: String(order) },
  } satisfies DeliveryRow,
})

/** After an attempt that is followed by another one. */
export const postponed = (
  { organizationId, endpointId }: Endpoint,
  { deliveryId }: Queued,
  { attempts, tries, dueAtMs }: Pick<DeliveryRow, 'attempts'> & Pick<Queued, 'tries' | 'dueAtMs'>,
): readonly RowChange[] => [
  { _tag: 'merge', organization: queueOf(endpointId), key: deliveryId, facets: {}, value: { tries, dueAtMs } },
  {
    _tag: 'merge',
    organization: organizationId,
    key: deliveryKey(endpointId, deliveryId),
    facets: {},
    value: { attempts, nextAttemptAtMs: dueAtMs },
  },
]

export type End = Exclude<DeliveryStatus, 'WEBHOOK_DELIVERY_STATUS_WAITING'>

const DAY_MS = 24 * 60 * 60 * 1000
/** How long a delivery is listed after its end. */
const KEPT_MS: { readonly [Status in End]: number } = {
  WEBHOOK_DELIVERY_STATUS_DELIVERED: 7 * DAY_MS,
  WEBHOOK_DELIVERY_STATUS_GIVEN_UP: 30 * DAY_MS,
}

/** After the last attempt. @param attempts  left out where there was none */
export const ended = (
  endpoint: Endpoint,
  queued: Pick<Queued, 'deliveryId'>,
  status: End,
  atMs: number,
  attempts?: DeliveryRow['attempts'],
): readonly RowChange[] => [
  { _tag: 'delete', organization: queueOf(endpoint.endpointId), key: queued.deliveryId },
  {
    _tag: 'merge',
    organization: endpoint.organizationId,
    key: deliveryKey(endpoint.endpointId, queued.deliveryId),
    facets: deliveryFacets(endpoint.endpointId, status),
    value: { status, nextAttemptAtMs: null, ...(attempts && { attempts }) },
  },
  endedRow(endpoint, queued, atMs + KEPT_MS[status]),
]

/** Says until when a delivery that has ended is listed. */
const endedRow = (
  { organizationId, endpointId }: Endpoint,
  { deliveryId }: Pick<Queued, 'deliveryId'>,
  untilMs: number,
): RowChange => {
  const key = deliveryKey(endpointId, deliveryId)
  return { _tag: 'put', organization: ENDED, key, order: BigInt(untilMs), facets: {}, value: { organizationId, key } }
}

type Read<A> = Promise<E.Either<Failure, A>>

/** How the rows are read. */
export const webhookRows = ({ rows, row }: Pick<ReadModels, 'rows' | 'row'>) => {
  const endpoints = async (selection: Parameters<typeof rows>[2]): Read<readonly EndpointRow[]> =>
    E.map((found: readonly { readonly value: Json }[]) => found.map(({ value }) => read(EndpointRow, value)))(
      await rows(ROWS, ENDPOINTS, selection)(),
    )
  return {
    endpointsOf: (organizationId: string) => endpoints({ limit: ALL, ascending: true, first: [organizationId] }),
    /** Of all organizations, page by page. */
    allEndpoints: (after: bigint | undefined, limit: number) => endpoints({ limit, ascending: true, after }),
    queue: async (endpointId: string, after: bigint | undefined, limit: number): Read<readonly QueuedAt[]> =>
      E.map((found: readonly { readonly order: bigint; readonly value: Json }[]) =>
        found.map(({ order, value }) => ({ ...read(Queued, value), order })),
      )(await rows(ROWS, queueOf(endpointId), { limit, ascending: true, after })()),
    /** The newest deliveries of an endpoint, by their places. */
    newest: async (
      { organizationId, endpointId }: Endpoint,
      after: bigint | undefined,
      limit: number,
    ): Read<readonly DeliveryRow[]> =>
      E.map((found: readonly { readonly value: Json }[]) => found.map(({ value }) => read(deliveries.row, value)))(
        await rows(ROWS, organizationId, { limit, after, first: [endpointId] })(),
      ),
    delivery: async ({ organizationId, endpointId }: Endpoint, deliveryId: string): Read<DeliveryRow | undefined> =>
      E.map((value: Json | undefined) => (value === undefined ? undefined : read(deliveries.row, value)))(
        await row(ROWS, organizationId, deliveryKey(endpointId, deliveryId))(),
      ),
    /** The changes that forget deliveries whose time is over, at most so many. */
    expired: async (nowMs: number, limit: number): Read<readonly RowChange[]> =>
      E.map((found: readonly { readonly key: string; readonly order: bigint; readonly value: Json }[]) =>
        found
          .filter(({ order }) => order <= BigInt(nowMs))
          .flatMap(({ key, value }): readonly RowChange[] => {
            const { organizationId, key: delivery } = read(Ended, value)
            return [
              { _tag: 'delete', organization: organizationId, key: delivery },
              { _tag: 'delete', organization: ENDED, key },
            ]
          }),
      )(await rows(ROWS, ENDED, { limit, ascending: true })()),
  }
}
export type WebhookRows = ReturnType<typeof webhookRows>

const ALL = Number.MAX_SAFE_INTEGER

const read = <A>(codec: t.Decoder<unknown, A>, value: Json): A => {
  const decoded = decode(codec, 'row of webhooks')(value)
  if (E.isLeft(decoded)) throw ownError(decoded.left.message)
  return decoded.right
}
