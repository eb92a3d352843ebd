import { createWebhookEndpoint } from '../../../../core/resources/webhook-endpoint/create-webhook-endpoint.ts'
import { deleteWebhookEndpoint } from '../../../../core/resources/webhook-endpoint/delete-webhook-endpoint.ts'
import { listWebhookDeliveries } from '../../../../core/resources/webhook-endpoint/list-webhook-deliveries.ts'
import { listWebhookEndpoints } from '../../../../core/resources/webhook-endpoint/list-webhook-endpoints.ts'
import { resendWebhookDeliveries } from '../../../../core/resources/webhook-endpoint/resend-webhook-deliveries.ts'
import { testWebhookEndpoint } from '../../../../core/resources/webhook-endpoint/test-webhook-endpoint.ts'
import { updateWebhookEndpoint } from '../../../../core/resources/webhook-endpoint/update-webhook-endpoint.ts'
import { asking, example, NOBODY, ORGANIZATION, type Scene } from '../example.ts'

const URL = 'https://hooks.example.com/'

const endpoint = ({ text }: Pick<Scene, 'text'>) => ({
  url: URL,
  name: text('name'),
  subscriptions: [
    {
      eventType: 'ACTIVITY_UPDATES',
      filtersJson: '{"activityStatuses":["ACTIVITY_STATUS_COMPLETED"]}',
      isActive: true,
    },
  ],
})

export const examples = [
  example(createWebhookEndpoint, {
    valid: endpoint,
    refused: [(scene) => ({ ...endpoint(scene), url: 'https://10.0.0.1/' }), 'REQUEST_INVALID'],
  }),
  example(updateWebhookEndpoint, {
    valid: async ({ made, text }) => ({
      ...{ endpointId: (await made(createWebhookEndpoint)).endpointId, url: `${URL}other` },
      ...{ name: text('name'), isActive: false },
    }),
    refused: [{ endpointId: NOBODY, url: URL }, 'RESOURCE_NOT_FOUND'],
  }),
  example(deleteWebhookEndpoint, {
    valid: async ({ made }) => ({ endpointId: (await made(createWebhookEndpoint)).endpointId }),
    refused: [{ endpointId: NOBODY }, 'RESOURCE_NOT_FOUND'],
  }),
  example(resendWebhookDeliveries, {
    valid: async ({ made }) => ({
      endpointId: (await made(createWebhookEndpoint)).endpointId,
      ...{ fromMs: '0', toMs: '1', eventIds: undefined },
    }),
    refused: [{ endpointId: NOBODY, fromMs: '0', toMs: '1' }, 'RESOURCE_NOT_FOUND'],
  }),
  example(testWebhookEndpoint, {
    valid: async ({ made }) => ({ endpointId: (await made(createWebhookEndpoint)).endpointId }),
    refused: [{ endpointId: NOBODY }, 'RESOURCE_NOT_FOUND'],
  }),
  asking(listWebhookEndpoints, async ({ made }) => ({
    request: {},
    shows: { webhookEndpoints: [{ endpointId: (await made(createWebhookEndpoint)).endpointId }] },
  })),
  asking(
    listWebhookDeliveries,
    async ({ made }) => ({
      request: { endpointId: (await made(createWebhookEndpoint)).endpointId },
      shows: { webhookDeliveries: [] },
    }),
    { refused: [{ endpointId: NOBODY }, 'RESOURCE_NOT_FOUND'] },
  ),
]

export const texts = {
  url: ORGANIZATION,
  filtersJson: ORGANIZATION,
  eventType: 'one of four words',
  eventIds: 'ids of events',
  fromMs: 'a time',
  toMs: 'a time',
}
