import { resource } from '../../definition/resource.ts'
import { createWebhookEndpoint } from './create-webhook-endpoint.ts'
import { deleteWebhookEndpoint } from './delete-webhook-endpoint.ts'
import { listWebhookDeliveries } from './list-webhook-deliveries.ts'
import { listWebhookEndpoints } from './list-webhook-endpoints.ts'
import { updateWebhookEndpoint } from './update-webhook-endpoint.ts'
import { webhookEndpoints, webhookLimits } from './webhook-endpoints.ts'

export {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  listWebhookDeliveries,
  listWebhookEndpoints,
  updateWebhookEndpoint,
  webhookEndpoints,
}

export const webhookEndpointResource = resource({
  name: 'webhook-endpoints',
  states: [webhookEndpoints],
  limits: webhookLimits,
  operations: [createWebhookEndpoint, updateWebhookEndpoint, deleteWebhookEndpoint],
  queries: [listWebhookEndpoints, listWebhookDeliveries],
})
