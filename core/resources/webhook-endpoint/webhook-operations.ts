import { resource, type Resource } from '../../definition/resource.ts'
import { resendWebhookDeliveries } from './resend-webhook-deliveries.ts'
import { testWebhookEndpoint } from './test-webhook-endpoint.ts'

export { resendWebhookDeliveries, testWebhookEndpoint }

/**
 * Sending again, and a test. They are no part of the public API, because its clients refuse types of activities that they do not know: a host adds
 * them.
 *
 * @example createEngine({ resources: [...publicApi, ...webhookOperations], … })
 */
export const webhookOperations: readonly Resource[] = [
  resource({ name: 'webhook-operations', operations: [resendWebhookDeliveries, testWebhookEndpoint] }),
]
