import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { NOBODY, onStage, refusal } from './stage.ts'

const it = suite('@turnkey/sdk-server and @turnkey/http: endpoints of webhooks')

const url = 'https://hooks.example.com/turnkey'
const filtersJson = '{ "activityTypes" : ["ACTIVITY_TYPE_CREATE_USERS_V4"] }'
const subscriptions = [{ eventType: 'ACTIVITY_UPDATES', filtersJson }]

it('are made, listed, changed and deleted by sdk-server', () =>
  onStage(async ({ sdk, root, organizationId }) => {
    const client = sdk(root)
    const { endpointId, webhookEndpoint } = await client.createWebhookEndpoint({ url, name: 'hook', subscriptions })
    const made = { endpointId, organizationId, url, name: 'hook', isActive: true, subscriptions }
    assert.equal(webhookEndpoint, made)
    assert.equal((await client.listWebhookEndpoints({})).webhookEndpoints, [made])
    const changed = await client.updateWebhookEndpoint({ endpointId, name: 'other', isActive: false })
    assert.equal(changed.webhookEndpoint, { ...made, name: 'other', isActive: false })
    assert.is((await client.deleteWebhookEndpoint({ endpointId })).endpointId, endpointId)
    assert.equal((await client.listWebhookEndpoints({})).webhookEndpoints, [])
    assert.is((await refusal(client.deleteWebhookEndpoint({ endpointId }))).code, 5)
  }))

it('are made, listed, changed and deleted by http', () =>
  onStage(async ({ http, root, asks, organizationId }) => {
    const client = http(root)
    const made = await client.createWebhookEndpoint(
      asks('ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT', { url, name: 'hook', subscriptions }),
    )
    assert.equal(made.activity.intent.createWebhookEndpointIntent, { url, name: 'hook', subscriptions })
    const { endpointId = '' } = made.activity.result.createWebhookEndpointResult ?? {}
    const { webhookEndpoints } = await client.listWebhookEndpoints({ organizationId })
    assert.equal(
      webhookEndpoints.map((one) => one.endpointId),
      [endpointId],
    )
    const changed = await client.updateWebhookEndpoint(
      asks('ACTIVITY_TYPE_UPDATE_WEBHOOK_ENDPOINT', { endpointId, url: `${url}/2` }),
    )
    assert.is(changed.activity.result.updateWebhookEndpointResult?.webhookEndpoint.url, `${url}/2`)
    await client.deleteWebhookEndpoint(asks('ACTIVITY_TYPE_DELETE_WEBHOOK_ENDPOINT', { endpointId }))
    assert.equal((await client.listWebhookEndpoints({ organizationId })).webhookEndpoints, [])
  }))

it('are refused where the URL is not public, an event is unknown, or filters are no object', () =>
  onStage(async ({ sdk, root }) => {
    const client = sdk(root)
    const refused = async (more: object) =>
      (await refusal(client.createWebhookEndpoint({ url, name: 'x', ...more }))).details
    const isAt = (details: unknown, field: string): void => {
      const [first] = details as readonly { readonly fieldViolations?: readonly { readonly field: string }[] }[]
      assert.is(first?.fieldViolations?.[0]?.field, field)
    }
    isAt(await refused({ url: 'https://10.0.0.1/' }), 'url')
    isAt(await refused({ subscriptions: [{ eventType: 'SOMETHING' }] }), 'subscriptions.0.eventType')
    isAt(
      await refused({ subscriptions: [{ eventType: 'ACTIVITY_UPDATES', filtersJson: '[]' }] }),
      'subscriptions.0.filtersJson',
    )
    assert.is((await refusal(client.updateWebhookEndpoint({ endpointId: NOBODY, name: 'x' }))).code, 5)
  }))

it.run()
