import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../../until.ts'
import { hookOf, hookReceiver } from './hook-receiver.ts'
import { done } from './leaver.ts'
import { rootClient, type RootClient } from './root-client.ts'
import { folder, json, serve } from './run-cli.ts'

const it = suite('servers that tell endpoints nothing')

const FLAGS = ['--store', 'sqlite:store.db', '--init', '--credentials', 'c.json', '--allow-private-network']

const happens = async (client: RootClient, userTagName: string): Promise<string> => {
  const { activity } = done(await client.submit('create_user_tag', { userTagName, userIds: [] }))
  return (activity as { readonly id: string }).id
}

it('let endpoints be made, and what happened is not told later: another server tells what happens since its start', async () => {
  const cwd = folder()
  const to = await hookReceiver()
  const served = async <A>(
    {
      flags = [],
      env = {},
    }: { readonly flags?: readonly string[]; readonly env?: { readonly [name: string]: string } },
    use: (client: RootClient, organizationId: string) => Promise<A>,
  ): Promise<A> => {
    const server = await serve([...FLAGS, ...flags], { cwd, env })
    const file = join(cwd, 'c.json')
    const result = await use(await rootClient(file), String(json(file)['organizationId']))
    assert.is((await server.stop()).stderr.includes('webhook'), false)
    return result
  }
  const endpointId = await served({ flags: ['--no-webhooks'] }, async (client, organizationId) => {
    const endpointId = await hookOf(client, to.url)
    done(await client.submit('set_organization_feature', { name: 'FEATURE_NAME_WEBHOOK', value: `${to.url}/feature` }))
    const { webhookEndpoints } = done(await client.query('list_webhook_endpoints'))
    assert.is((webhookEndpoints as readonly unknown[]).length, 1)
    for (const id of [endpointId, organizationId])
      assert.equal(done(await client.query('list_webhook_deliveries', { endpointId: id })), { webhookDeliveries: [] })
    return endpointId
  })
  for (const value of ['true', '1']) await served({ env: { COUNTERSIGN_NO_WEBHOOKS: value } }, (c) => happens(c, value))
  assert.equal(to.heard, [])

  const told = await served({ env: { COUNTERSIGN_NO_WEBHOOKS: 'false' } }, async (client) => {
    const id = await happens(client, 'told')
    await until(() => to.heard.length === 2) // by the endpoint, and by the URL of the feature
    return id
  })
  const between = await served({ flags: ['--no-webhooks'] }, (client) => happens(client, 'between'))
  assert.is(to.heard.length, 2)
  const last = await served({}, async (client) => {
    const id = await happens(client, 'last')
    await until(() => to.heard.length === 6)
    const deliveries = done(await client.query('list_webhook_deliveries', { endpointId }))['webhookDeliveries']
    assert.is((deliveries as readonly unknown[]).length, 3)
    return id
  })
  const ids = to.heard.map((one) => one.told.id)
  for (const id of [told, between, last]) assert.is(ids.filter((one) => one === id).length, 2)
  await to.close()
})

it.run()
