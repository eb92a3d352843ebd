import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { HandledRequest } from '../../../adapters/http/index.ts'
import { requestIds } from '../../../adapters/http/request-id.ts'
import type { CommandOptions } from '../../../core/engine.ts'
import { TE } from '../../../core/prelude.ts'
import { until } from '../../until.ts'
import { anyView, fakeEngine } from './fake-engine.ts'
import { say, serving } from './transport.ts'

const it = suite('the id of a request')

const SUBMIT = '/public/v1/submit/create_user_tag'
const WHOAMI = '/public/v1/query/whoami'
const HERE = ['127.0.0.1', '::1']
const MADE = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const post = (url: string, id?: string): Promise<Response> =>
  fetch(url, { method: 'POST', body: '{}', headers: id === undefined ? {} : { 'X-Request-Id': id } })

it('is the same in the answer, in what the host is told and in the call of the engine, and new each time', async () => {
  const told: HandledRequest[] = []
  const given: (CommandOptions | undefined)[] = []
  const engine = fakeEngine({
    submit: (_, __, options) => {
      given.push(options)
      return TE.right(anyView())
    },
    query: (_, __, options) => {
      given.push(options)
      return TE.right({})
    },
  })
  await serving(engine, { onRequest: (request) => told.push(request) }, async (url) => {
    const answers = [await post(url + SUBMIT), await post(url + WHOAMI)]
    const ids = answers.map(({ headers }) => headers.get('x-request-id') ?? 'none')
    for (const id of ids) assert.match(id, MADE)
    assert.is(new Set(ids).size, 2)
    assert.equal(
      told.map(({ requestId }) => requestId),
      ids,
    )
    assert.equal(
      given.map((options) => options?.requestId),
      ids,
    )
  })
})

it('stands in every answer, and pages of other origins may read it', async () => {
  await serving(fakeEngine(), { metrics: () => '' }, async (url) => {
    for (const path of ['/', '/healthz', '/readyz', '/openapi.json', '/metrics', '/nowhere', SUBMIT]) {
      const reply = await fetch(url + path)
      assert.match(reply.headers.get('x-request-id') ?? '', MADE, path)
      if (path !== '/metrics') assert.match(reply.headers.get('access-control-expose-headers') ?? '', 'X-Request-Id')
    }
    assert.match((await fetch(url + SUBMIT, { method: 'OPTIONS' })).headers.get('x-request-id') ?? '', MADE)
  })
})

it('stands in the answer to bytes that are no request, too', async () => {
  const told: HandledRequest[] = []
  await serving(fakeEngine(), { onRequest: (request) => told.push(request) }, async (url) => {
    const [answer] = await say(url, 'garbage\r\n\r\n')
    await until(() => told.length === 1)
    assert.is(answer?.headers['x-request-id'], told[0]?.requestId)
    assert.match(told[0]?.requestId ?? '', MADE)
  })
})

it('is believed of a trusted proxy, and of nobody else', async () => {
  await serving(fakeEngine(), { trustedProxies: HERE }, async (url) => {
    assert.is((await post(url + SUBMIT, 'req-01HZX.7_a')).headers.get('x-request-id'), 'req-01HZX.7_a')
  })
  for (const trustedProxies of [[], ['10.0.0.0/8']])
    await serving(fakeEngine(), { trustedProxies }, async (url) => {
      assert.match((await post(url + SUBMIT, 'req-01HZX.7_a')).headers.get('x-request-id') ?? '', MADE)
    })
})

it('is made where a trusted proxy sends one that is too long, twice there or no id at all', async () => {
  await serving(fakeEngine(), { trustedProxies: HERE }, async (url) => {
    const twice = 'X-Request-Id: one\r\nX-Request-Id: two'
    for (const header of [
      `X-Request-Id: ${'a'.repeat(65)}`,
      `X-Request-Id: ${'a'.repeat(8192)}`,
      twice,
      'X-Request-Id:',
    ]) {
      const [answer] = await say(url, `GET /healthz HTTP/1.1\r\nHost: test\r\n${header}\r\nConnection: close\r\n\r\n`)
      assert.match(answer?.headers['x-request-id'] ?? '', MADE)
    }
  })
})

it('never has a character that could end a line or colour a terminal, whoever sends it', () => {
  const idOf = requestIds(['10.0.0.1'])
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme-ascii' })), (given) => {
      const request = { header: () => given, connectedAddress: () => '10.0.0.1' }
      assert.match(idOf(request), /^[A-Za-z0-9._-]{1,64}$/)
    }),
  )
})

it.run()
