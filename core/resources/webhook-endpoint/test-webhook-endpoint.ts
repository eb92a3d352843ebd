import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { aboutEndpoint } from './about-endpoint.ts'
import { webhookEndpoints } from './webhook-endpoints.ts'

export const Tested = t.fields({ endpointId: t.Uuid })
export type Tested = t.TypeOf<typeof Tested>

/** Ours: the public API has no such operation. */
export const testWebhookEndpoint = operation({
  type: 'ACTIVITY_TYPE_TEST_WEBHOOK_ENDPOINT',
  path: 'test_webhook_endpoint',
  summary: 'Tells an endpoint of this activity, whatever it subscribes to.',
  action: 'UPDATE',
  ...aboutEndpoint,
  intent: Tested,
  result: t.fields({ endpointId: t.string }),
  change: Tested,

  execute: (intent, { find }) => {
    find('webhook endpoint', webhookEndpoints, intent.endpointId)
    return { result: intent, change: intent }
  },

  evolve: () => undefined,
})
