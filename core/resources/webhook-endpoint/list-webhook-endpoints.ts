import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { InOrganization } from '../in-organization.ts'
import { wholeList } from '../whole-list.ts'
import { endpointView, webhookEndpoints, WebhookEndpointView } from './webhook-endpoints.ts'

export const listWebhookEndpoints = query({
  path: 'list_webhook_endpoints',
  summary: 'Lists all endpoints that are told what happens.',
  request: InOrganization,
  answer: t.fields({ webhookEndpoints: t.readonlyArray(WebhookEndpointView) }),
  run: (_, { organization }) =>
    wholeList('webhookEndpoints', webhookEndpoints.of(organization), endpointView(organization)),
})
