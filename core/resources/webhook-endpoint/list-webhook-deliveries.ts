import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { pageOf, pagination } from '../pagination.ts'
import {
  deliveries,
  deliveryFacets,
  deliveryKey,
  DeliveryStatus,
  deliveryView,
  WebhookDeliveryView,
} from './deliveries.ts'
import { webhookEndpoints } from './webhook-endpoints.ts'

/** Ours: the public API has no such query. The URL of the feature has the id of the organization in place of an endpoint's. */
export const listWebhookDeliveries = query({
  path: 'list_webhook_deliveries',
  summary: 'Lists what an endpoint was told, and what waits for it, newest first, a page at a time.',
  request: t.fields(
    { organizationId: t.Uuid, endpointId: t.Uuid },
    { status: DeliveryStatus, paginationOptions: pagination('a delivery') },
  ),
  answer: t.fields({ webhookDeliveries: t.readonlyArray(WebhookDeliveryView) }),
  run: async ({ endpointId, status, paginationOptions = {} }, { organization, find, row, rows }) => {
    if (endpointId !== organization.organizationId) find('webhook endpoint', webhookEndpoints, endpointId)
    const page = await pageOf(paginationOptions, 'a delivery to the endpoint', async (id) => {
      const found = await row(deliveries, deliveryKey(endpointId, id))
      return found && BigInt(found.place)
    })
    const { first, second } = deliveryFacets(endpointId, status ?? 'WEBHOOK_DELIVERY_STATUS_WAITING')
    const found = await rows(deliveries, {
      ...page,
      ...(status === undefined ? { first: [first] } : { second: [second] }),
    })
    const shown = found.map(deliveryView)
    return { webhookDeliveries: page.ascending ? shown.toReversed() : shown }
  },
})
