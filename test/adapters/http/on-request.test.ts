import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { HandledRequest } from '../../../adapters/http/index.ts'
import { TE } from '../../../core/prelude.ts'
import { until } from '../../until.ts'
import { anyView, fakeEngine, refusing } from './fake-engine.ts'
import { say, serving } from './transport.ts'

const it = suite('what the host is told')

const SUBMIT = '/public/v1/submit/create_user_tag'

it('answers 500 to a bug, tells the caller a number and the host the error', async () => {
  const told: HandledRequest[] = []
  const bug = new Error('secret of the inside')
  const thrown = [
    () => {
      throw bug
    },
    () => () => Promise.reject(bug),
    () => TE.right(anyView({ votes: undefined as never })),
  ]
  for (const submit of thrown) {
    await serving(fakeEngine({ submit }), { onRequest: (request) => told.push(request) }, async (url) => {
      const reply = await fetch(url + SUBMIT, { method: 'POST', body: '{}' })
      assert.is(reply.status, 500)
      const { code, message } = (await reply.json()) as { code: number; message: string }
      assert.is(code, 13)
      assert.match(message, /^internal error \([0-9a-f-]{36}\)$/)
      assert.ok(message.includes(told.at(-1)?.thrown?.requestId ?? 'nothing'))
      assert.is(told.at(-1)?.requestId, told.at(-1)?.thrown?.requestId)
      assert.is(reply.headers.get('x-request-id'), told.at(-1)?.requestId)
      assert.is((await fetch(`${url}/healthz`)).status, 200)
    })
  }
  assert.is(told[0]?.thrown?.error, bug)
})

it('tells the host of each request: method, path, status, duration, code', async () => {
  const told: HandledRequest[] = []
  await serving(refusing('SIGNATURE_INVALID'), { onRequest: (request) => told.push(request) }, async (url) => {
    await fetch(`${url}${SUBMIT}?token=secret`, { method: 'POST', body: 'secret', headers: { 'X-Stamp': 'secret' } })
    await fetch(`${url}/healthz`)
  })
  assert.equal(
    told.map(({ durationMs, requestId, ...rest }) => ({
      ...rest,
      tookTime: durationMs >= 0 && requestId.length === 36,
    })),
    [
      { method: 'POST', path: SUBMIT, status: 401, code: 'SIGNATURE_INVALID', tookTime: true },
      { method: 'GET', path: '/healthz', status: 200, tookTime: true },
    ],
  )
})

it('tells the host of a body that cannot be read, and of what was no request at all, once each', async () => {
  const told: HandledRequest[] = []
  await serving(fakeEngine(), { onRequest: (request) => told.push(request) }, async (url) => {
    await say(url, `POST ${SUBMIT} HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`)
    await until(() => told.length === 1)
    await say(url, 'garbage\r\n\r\n')
  })
  assert.equal(
    told.map(({ method, path, status }) => ({ method, path, status })),
    [
      { method: 'POST', path: SUBMIT, status: 400 },
      { method: null, path: null, status: 400 },
    ],
  )
})

it('answers even if the hook of the host throws', async () => {
  const onRequest = (): void => {
    throw new Error('of the host')
  }
  await serving(fakeEngine(), { onRequest }, async (url) => {
    assert.is((await fetch(`${url}/healthz`)).status, 200)
    assert.is((await fetch(`${url}/healthz`)).status, 200)
  })
})

it.run()
