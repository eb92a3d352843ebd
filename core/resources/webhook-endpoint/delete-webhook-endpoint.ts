import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { deletes } from '../deletes.ts'
import { aboutEndpoint } from './about-endpoint.ts'
import { webhookEndpoints } from './webhook-endpoints.ts'

const Deleted = t.fields({ endpointId: t.string })
type Deleted = t.TypeOf<typeof Deleted>

export const deleteWebhookEndpoint = operation({
  type: 'ACTIVITY_TYPE_DELETE_WEBHOOK_ENDPOINT',
  path: 'delete_webhook_endpoint',
  summary: 'Deletes an endpoint with its subscriptions: it is told nothing any more.',
  action: 'DELETE',
  ...aboutEndpoint,
  intent: t.fields({ endpointId: t.Uuid }),
  result: Deleted,
  change: Deleted,
  ...deletes('webhook endpoint', webhookEndpoints, ({ endpointId }: Deleted) => [endpointId]),
})
