import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { beginBelow, right } from '../world/world.ts'
import { answered, happens, hookIn, receiver, tellingWorld } from './receiver.ts'

const it = suite('what an endpoint is told')

const endMark = 'end'

it('is nothing of what happens while it is inactive, and from its last change on what happens then', async () => {
  const to = receiver()
  const w = await tellingWorld(to)
  const endpointId = await hookIn(w)
  await w.done(w.root, 'update_webhook_endpoint', { endpointId, isActive: false })
  await happens(w, 'meanwhile')
  await w.done(w.root, 'update_webhook_endpoint', { endpointId, isActive: true, name: 'again' })
  const { id } = await happens(w, endMark)
  await to.until((heard) => heard.some(({ told }) => told.id === id) && heard.length === 3)
  assert.equal(
    to.heard.map(({ told }) => told.type.replace('ACTIVITY_TYPE_', '')).toSorted((a, b) => (a < b ? -1 : 1)),
    ['CREATE_USER_TAG', 'CREATE_WEBHOOK_ENDPOINT', 'UPDATE_WEBHOOK_ENDPOINT'],
  )
  await w.close()
})

it('rests while it is inactive, and goes on when it is active again', async () => {
  const to = receiver(() => answered(to.heard.length === 1 ? 500 : 200))
  const w = await tellingWorld(to)
  const endpointId = await hookIn(w)
  await to.until((heard) => heard.length === 1)
  await w.done(w.root, 'update_webhook_endpoint', { endpointId, isActive: false })
  w.clock.pass(60_000)
  await w.done(w.root, 'update_webhook_endpoint', { endpointId, isActive: true })
  await to.until((heard) => heard.length === 3)
  assert.is(to.heard.filter(({ told }) => told.type.includes('CREATE')).length, 2)
  await w.close()
})

it('is nothing any more when it is deleted', async () => {
  const to = receiver()
  const w = await tellingWorld(to)
  const first = await hookIn(w, { url: 'https://first.example.com/' })
  await hookIn(w, { url: 'https://second.example.com/' })
  await to.until((heard) => heard.filter(({ url }) => url.includes('first')).length === 2)
  await w.done(w.root, 'delete_webhook_endpoint', { endpointId: first })
  const { id } = await happens(w, endMark)
  await to.until((heard) => heard.some(({ told }) => told.id === id))
  assert.equal(
    to.heard.filter(({ url }) => url.includes('first')).map(({ told }) => told.type),
    ['ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT', 'ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT'],
  )
  await w.close()
})

const filters: readonly (readonly [
  string,
  (ids: { readonly own: string; readonly child: string }) => object,
  readonly string[],
])[] = [
  ['organizationIds', ({ child }) => ({ organizationIds: [child] }), ['child']],
  ['excludeOrganizationIds', ({ child }) => ({ excludeOrganizationIds: [child] }), ['own']],
  ['activityTypes', () => ({ activityTypes: ['ACTIVITY_TYPE_CREATE_USER_TAG'] }), ['child', 'own']],
  ['activityStatuses', () => ({ activityStatuses: ['ACTIVITY_STATUS_REJECTED'] }), []],
  ['both', ({ own }) => ({ organizationIds: [own], activityTypes: ['ACTIVITY_TYPE_CREATE_USER_TAG'] }), ['own']],
  ['one that it does not know', () => ({ somethingNew: [1] }), ['child', 'own']],
]

for (const [name, filterOf, expected] of filters)
  it(`passes filters: ${name}`, async () => {
    const to = receiver()
    const w = await tellingWorld(to)
    const child = await beginBelow(w, w)
    const filtersJson = JSON.stringify(filterOf({ own: w.organizationId, child: child.organizationId }))
    await hookIn(w, { url: 'https://filtered.example.com/', filtersJson })
    await hookIn(w, { url: 'https://all.example.com/' })
    const made = { own: await happens(w, 'own'), child: await happens(child, 'child') }
    await to.until((heard) =>
      Object.values(made).every(({ id }) => heard.some(({ told, url }) => told.id === id && url.includes('all'))),
    )
    const { webhookEndpoints } = await w.answer(w.root, 'list_webhook_endpoints')
    const [shown] = webhookEndpoints as readonly {
      readonly subscriptions: readonly { readonly filtersJson: string }[]
    }[]
    assert.is(shown?.subscriptions[0]?.filtersJson, filtersJson)
    const told = () =>
      Object.entries(made).flatMap(([where, { id }]) =>
        to.heard.some((one) => one.told.id === id && one.url.includes('filtered')) ? [where] : [],
      )
    await to.until(() => told().length >= expected.length)
    assert.equal(told().toSorted((a, b) => (a < b ? -1 : 1)), expected) // prettier-ignore
    await w.close()
  })

it('is the body alone, at the URL of the feature, from its setting on', async () => {
  const to = receiver()
  const w = await tellingWorld(to)
  const url = 'https://feature.example.com/hook'
  const asked = { name: 'FEATURE_NAME_WEBHOOK', value: url }
  await w.done(w.root, 'set_organization_feature', asked)
  await happens(w, 'tag')
  await to.until((heard) => heard.length === 2)
  assert.ok(to.heard.every((one) => one.url === url))
  assert.equal(
    to.heard.map(({ headers }) => Object.keys(headers).filter((header) => /turnkey|webhook/i.test(header))),
    [[], []],
  )
  await w.done(w.root, 'remove_organization_feature', { name: 'FEATURE_NAME_WEBHOOK' })
  await w.done(w.root, 'set_organization_feature', asked)
  await to.until((heard) => heard.length === 3)
  assert.is(to.heard[2]?.told.type, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE')
  await w.close()
})

it('is given up where the receiver refuses it, and listed so', async () => {
  const to = receiver(({ told }) => answered(told.type.includes('TAG') ? 404 : 200))
  const w = await tellingWorld(to)
  const endpointId = await hookIn(w)
  const { id } = await happens(w, 'tag')
  await to.until((heard) => heard.length === 2)
  for (;;) {
    const status = 'WEBHOOK_DELIVERY_STATUS_GIVEN_UP'
    const { webhookDeliveries } = await w.answer(w.root, 'list_webhook_deliveries', { endpointId, status })
    const [first] = webhookDeliveries as readonly {
      readonly activityId: string
      readonly attempts: readonly object[]
    }[]
    if (first === undefined) continue
    assert.is(first.activityId, id)
    assert.equal(first.attempts.map((one) => ({ ...one, at: undefined })), [{ at: undefined, durationMs: 0, outcome: '404' }]) // prettier-ignore
    break
  }
  const all = await w.answer(w.root, 'list_webhook_deliveries', { endpointId })
  assert.is((all['webhookDeliveries'] as readonly unknown[]).length, 2)
  await w.close()
})

it('can be listed page by page', async () => {
  const to = receiver()
  const w = await tellingWorld(to)
  const endpointId = await hookIn(w)
  for (const name of ['a', 'b', 'c', 'd']) await happens(w, name)
  await to.until((heard) => heard.length === 5)
  const page = async (paginationOptions: object): Promise<readonly string[]> => {
    const answer = await w.answer(w.root, 'list_webhook_deliveries', {
      endpointId,
      paginationOptions: paginationOptions as never,
    })
    return (answer['webhookDeliveries'] as readonly { readonly deliveryId: string }[]).map(
      ({ deliveryId }) => deliveryId,
    )
  }
  const all = await page({ limit: '100' })
  assert.is(all.length, 5)
  assert.equal(await page({ limit: '2' }), all.slice(0, 2))
  assert.equal(await page({ limit: '2', before: all[1] }), all.slice(2, 4))
  assert.equal(await page({ limit: '2', after: all[3] }), all.slice(1, 3))
  assert.is((await w.ask(w.root, 'list_webhook_deliveries', { endpointId: w.root.userId }))._tag, 'Left')
  right(await w.ask(w.root, 'list_webhook_deliveries', { endpointId: w.organizationId }))
  await w.close()
})

it.run()
