import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { aboutEndpoint } from './about-endpoint.ts'
import { endpointView, WebhookEndpoint, webhookEndpoints, WebhookEndpointView } from './webhook-endpoints.ts'
import { admitUrl } from './webhook-url.ts'

export const updateWebhookEndpoint = operation({
  type: 'ACTIVITY_TYPE_UPDATE_WEBHOOK_ENDPOINT',
  path: 'update_webhook_endpoint',
  summary: 'Changes those members of an endpoint that the intent has.',
  action: 'UPDATE',
  ...aboutEndpoint,
  intent: t.fields({ endpointId: t.Uuid }, { url: t.Text, name: t.Label, isActive: t.boolean }),
  result: t.fields({ endpointId: t.string, webhookEndpoint: WebhookEndpointView }),
  change: WebhookEndpoint,

  admit: ({ url }) => admitUrl('url', url),

  execute: ({ endpointId, url, name, isActive }, { organization, find }) => {
    const before = find('webhook endpoint', webhookEndpoints, endpointId)
    const change = {
      ...before,
      url: url ?? before.url,
      name: name ?? before.name,
      isActive: isActive ?? before.isActive,
    }
    return { result: { endpointId, webhookEndpoint: endpointView(organization)(change) }, change }
  },

  evolve: (draft, endpoint) => {
    webhookEndpoints.in(draft).set(endpoint.endpointId, endpoint)
  },
})
