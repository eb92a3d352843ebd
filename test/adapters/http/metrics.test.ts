import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { serving } from './transport.ts'
import { fakeEngine } from './fake-engine.ts'
import { PROMETHEUS_CONTENT_TYPE } from '../../../adapters/telemetry/index.ts'

const it = suite('GET /metrics')

it('answers with the numbers as they are now', async () => {
  let asked = 0
  const metrics = (): string => `asked ${(asked += 1)}\n`
  await serving(fakeEngine(), { metrics }, async (url) => {
    const first = await fetch(`${url}/metrics`)
    assert.equal([first.status, first.headers.get('content-type')], [200, PROMETHEUS_CONTENT_TYPE])
    assert.is(first.headers.get('cache-control'), 'no-store')
    assert.is(await first.text(), 'asked 1\n')
    assert.is(await (await fetch(`${url}/metrics?a=b`)).text(), 'asked 2\n')
    assert.is(await (await fetch(`${url}/metrics`, { method: 'HEAD' })).text(), '')
  })
})

it('is not there unless it is asked for', async () => {
  await serving(fakeEngine(), {}, async (url) => {
    for (const method of ['GET', 'OPTIONS', 'POST'])
      assert.is((await fetch(`${url}/metrics`, { method })).status, 404, method)
  })
})

it('is for no page of another origin', async () => {
  await serving(fakeEngine(), { metrics: () => '' }, async (url) => {
    assert.is((await fetch(`${url}/metrics`)).headers.get('access-control-allow-origin'), null)
    const preflight = await fetch(`${url}/metrics`, { method: 'OPTIONS' })
    assert.equal([preflight.status, preflight.headers.get('access-control-allow-methods')], [405, null])
  })
})

it('says no more than any other failure when the numbers cannot be had', async () => {
  const metrics = (): string => {
    throw new Error('a secret of the host')
  }
  await serving(fakeEngine(), { metrics }, async (url) => {
    const reply = await fetch(`${url}/metrics`)
    assert.is(reply.status, 500)
    assert.not.match(await reply.text(), 'secret')
  })
})

it.run()
