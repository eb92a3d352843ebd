import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { jsonReply } from '../../../adapters/http/reply.ts'
import { anyExchange } from './exchanges.ts'
import { routes } from '../../../adapters/http/public-api.ts'

const it = suite('routes')

const health = { methods: ['GET'], reply: () => jsonReply('{}') }
const asks = (kind: string, operation: string) => () => jsonReply(JSON.stringify([kind, operation]))
const routeOf = routes('', new Map([['/healthz', health]]), asks)

it('leads submits and queries to their operation', async () => {
  for (const [kind, operation] of [
    ['submit', 'create_users'],
    ['query', 'get_activity'],
  ]) {
    const route = routeOf(`/public/v1/${kind}/${operation}`)
    assert.equal(route?.methods, ['POST', 'OPTIONS'])
    assert.is((await route?.reply(anyExchange()))?.body, JSON.stringify([kind, operation]))
  }
})

it('leads all other paths to what is answered without a stamp', () => {
  assert.is(routeOf('/healthz'), health)
  assert.is(routes('/base', new Map([['/healthz', health]]), asks)('/base/healthz'), health)
})

it('knows no path beside', () => {
  for (const path of [
    '/public/v1/submit/',
    '/public/v1/submit',
    '/public/v1/submit/create_users/',
    '/public/v1/submit/create%5Fusers',
    '/public/v1/submit/../query/whoami',
    '/public/v2/submit/create_users',
    '/PUBLIC/v1/submit/create_users',
    '/healthz/',
    '/v1/signup',
    `/public/v1/query/${'a'.repeat(129)}`,
  ])
    assert.is(routeOf(path), undefined, path)
})

it('takes any path', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (path) => {
      routeOf(path)
    }),
  )
})

it.run()
