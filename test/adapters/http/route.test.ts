import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { jsonReply } from '../../../adapters/http/reply.ts'
import { pathOf, routes } from '../../../adapters/http/route.ts'

const it = suite('routes')

const health = { methods: ['GET'], reply: () => jsonReply('{}') }
const routeOf = routes('', new Map([['/healthz', health]]))

it('leads submits and queries to their operation', () => {
  assert.equal(routeOf('/public/v1/submit/create_users'), {
    kind: 'submit',
    operation: 'create_users',
    methods: ['POST', 'OPTIONS'],
  })
  assert.equal(routeOf('/public/v1/query/get_activity'), {
    kind: 'query',
    operation: 'get_activity',
    methods: ['POST', 'OPTIONS'],
  })
})

it('leads all other paths to what is answered without a stamp', () => {
  assert.is(routeOf('/healthz'), health)
  assert.is(routes('/base', new Map([['/healthz', health]]))('/base/healthz'), health)
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

it('takes several slashes at the start for one, as a base URL with a slash at its end makes them', () => {
  assert.is(pathOf('//public/v1/query/whoami'), '/public/v1/query/whoami')
  assert.is(pathOf('///'), '/')
})

it('takes the absolute form, and drops the query string', () => {
  assert.is(pathOf('http://api.example.com:8080/public/v1/query/whoami?x=1'), '/public/v1/query/whoami')
  assert.is(pathOf('HTTPS://api.example.com'), '/')
  assert.is(pathOf('/healthz?from=probe?'), '/healthz')
  assert.is(routeOf(pathOf('*')), undefined)
})

it('gives some path for any target', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (target) => {
      const path = pathOf(target)
      assert.ok(path.startsWith('/') && !path.startsWith('//') && !path.includes('?'))
      assert.is(pathOf(path), path)
      routeOf(path)
    }),
  )
})

it.run()
