import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { E } from '../../../core/prelude.ts'
import { right } from '../world/world.ts'
import { happens, HOOK, receiver, tellingWorld } from './receiver.ts'

const it = suite('webhooks where nothing signs')

it('have no endpoints, and tell the URL of the feature', async () => {
  const to = receiver()
  const w = await tellingWorld(to, { ports: { keyring: undefined } })
  const refused = await w.submit(w.root, 'create_webhook_endpoint', { url: HOOK, name: 'hook' })
  assert.is(refused._tag, 'Left')
  if (E.isLeft(refused)) {
    assert.is(refused.left.code, 'UNSUPPORTED')
    assert.match(refused.left.message, /^create_webhook_endpoint .* no ports\.keyring$/)
  }
  assert.equal(await w.answer(w.root, 'list_webhook_endpoints'), { webhookEndpoints: [] })
  assert.equal(right(await w.engine.webhookKeys()()), [])

  const url = 'https://feature.example.com/hook'
  await w.done(w.root, 'set_organization_feature', { name: 'FEATURE_NAME_WEBHOOK', value: url })
  const { id } = await happens(w, 'tag')
  await to.until((heard) => heard.length === 2 && heard.some(({ told }) => told.id === id))
  for (const { url: at, headers } of to.heard) {
    assert.is(at, url)
    assert.equal(Object.keys(headers).toSorted(), ['Content-Type', 'User-Agent'])
  }
  await w.close()
})

it.run()
