import * as t from '../../codec/t.ts'
import { timestamp } from '../../codec/timestamp.ts'
import { projection } from '../../definition/projection.ts'
import { oneOf } from '../wallet/key-codecs.ts'

export const deliveryStatuses = [
  'WEBHOOK_DELIVERY_STATUS_WAITING',
  'WEBHOOK_DELIVERY_STATUS_DELIVERED',
  'WEBHOOK_DELIVERY_STATUS_GIVEN_UP',
] as const
export const DeliveryStatus = oneOf(deliveryStatuses)
export type DeliveryStatus = t.TypeOf<typeof DeliveryStatus>

const Attempt = t.fields({
  atMs: t.number,
  durationMs: t.number,
  /** The status of the answer, or why there was none. */
  outcome: t.string,
})
export type Attempt = t.TypeOf<typeof Attempt>

/** A row in the organization of the endpoint. It waits as long as its row stands in the queue of the endpoint. */
export const DeliveryRow = t.fields(
  {
    deliveryId: t.string,
    eventId: t.string,
    activityId: t.string,
    eventType: t.string,
    status: DeliveryStatus,
    /** The event: where its activity is, and its places there and in the store. */
    event: t.fields({ organizationId: t.string, revision: t.string, position: t.string }),
    attempts: t.array(Attempt),
    /** The `order` of the row, which cursors of lists name by `deliveryId`. */
    place: t.string,
  },
  { nextAttemptAtMs: t.union([t.number, t.null]) },
)
export type DeliveryRow = t.TypeOf<typeof DeliveryRow>

/**
 * The deliveries of an organization's endpoints. Whatever delivers them writes these rows, and no reducer: they are not made again of the log.
 */
export const deliveries = projection({ name: 'webhooks', version: 1, row: DeliveryRow, on: [] })

export const deliveryKey = (endpointId: string, deliveryId: string): string => `${endpointId} ${deliveryId}`

/** The facets by which deliveries are listed: all of an endpoint, and those with a status. */
export const deliveryFacets = (endpointId: string, status: DeliveryStatus) => ({
  first: endpointId,
  second: `${endpointId} ${status}`,
})

/** A delivery as the wire shows it. */
export const WebhookDeliveryView = t.named(
  'WebhookDelivery',
  t.fields(
    {
      deliveryId: t.described(t.Uuid, 'that of the event, or where it was sent again, one of its own'),
      eventId: t.string,
      activityId: t.Uuid,
      eventType: t.string,
      status: DeliveryStatus,
      attempts: t.readonlyArray(
        t.fields({
          at: t.Timestamp,
          durationMs: t.number,
          outcome: t.described(t.string, 'the status of the answer, or why there was none, such as time-out'),
        }),
      ),
    },
    { nextAttemptAt: t.Timestamp },
  ),
)

export const deliveryView = ({ place: _, event: __, attempts, nextAttemptAtMs, ...row }: DeliveryRow) => ({
  ...row,
  attempts: attempts.map(({ atMs, ...attempt }) => ({ at: timestamp(atMs), ...attempt })),
  ...(typeof nextAttemptAtMs === 'number' &&
    row.status === 'WEBHOOK_DELIVERY_STATUS_WAITING' && { nextAttemptAt: timestamp(nextAttemptAtMs) }),
})
