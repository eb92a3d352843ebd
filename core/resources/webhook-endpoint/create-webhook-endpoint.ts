import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { checkQuota } from '../check-quota.ts'
import { notTooMany } from '../wallet/key-codecs.ts'
import { Subscription } from './subscription.ts'
import {
  endpointView,
  WebhookEndpoint,
  webhookEndpoints,
  WebhookEndpointView,
  webhookLimits,
} from './webhook-endpoints.ts'
import { admitUrl } from './webhook-url.ts'

export const createWebhookEndpoint = operation({
  type: 'ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT',
  path: 'create_webhook_endpoint',
  summary: 'Creates an endpoint that is told what happens from then on.',
  resource: 'WEBHOOK_ENDPOINT',
  action: 'CREATE',
  intent: t.fields({ url: t.Text, name: t.Label }, { subscriptions: t.list(Subscription) }, ({ subscriptions = [] }) =>
    notTooMany('subscriptions', subscriptions),
  ),
  result: t.fields({ endpointId: t.string, webhookEndpoint: WebhookEndpointView }),
  change: WebhookEndpoint,

  needsFor: () => ['keyring'], // what it is told is signed

  admit: ({ url }) => admitUrl('url', url),

  execute: ({ url, name, subscriptions = [] }, context) => {
    const { organization, ids } = context
    const { webhookEndpoints: most } = webhookLimits.of(context)
    checkQuota(webhookEndpoints.of(organization).size + 1, most, 'webhook endpoints')
    const change = { endpointId: ids(), url, name, isActive: true, subscriptions }
    const { endpointId } = change
    return { result: { endpointId, webhookEndpoint: endpointView(organization)(change) }, change }
  },

  evolve: (draft, endpoint) => {
    webhookEndpoints.in(draft).set(endpoint.endpointId, endpoint)
  },
})
