import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { HttpServerOptions } from '../../../adapters/http/index.ts'
import { until } from '../../until.ts'
import { fakeEngine, holding } from './fake-engine.ts'
import { dial, heard, json, missed, post, say, serving, type Line } from './transport.ts'

const it = suite('what bodies take of the server')

const SUBMIT = '/public/v1/submit/create_users'
const CHUNKED = `POST ${SUBMIT} HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n`

const large = (name: string): string => `"${name}${'x'.repeat(40_000)}"`
const begin = (url: string, bytes: string): Line => {
  const line = dial(url)
  line.send(bytes)
  return line
}
const half = (url: string, name: string): Line => begin(url, post(SUBMIT, large(name)).slice(0, -1))

/** Two large bodies, and a little. */
const limits: HttpServerOptions = { bodyBytesMax: 50_000, bodyBytesHeldMax: 100_000 }

it('takes a body in chunks of one byte, but not in any number of them', async () => {
  const engine = fakeEngine()
  await serving(engine, { bodyBytesMax: 100_000 }, async (url) => {
    const [short] = await say(url, `${CHUNKED}${'1\r\nx\r\n'.repeat(1000)}0\r\n\r\n`)
    assert.is(short?.status, 200)
    assert.is(engine.asked[0]?.request.body.length, 1000)
    const [long] = await begin(url, `${CHUNKED}${'1\r\nx\r\n'.repeat(4000)}`).closed
    assert.is(long?.status, 413)
    assert.match(String(json(long).message), '3125 pieces')
    assert.is(engine.asked.length, 1)
  })
})

it('takes a body of nothing but empty lines', async () => {
  const engine = fakeEngine()
  await serving(engine, {}, async (url) => {
    const body = '\r\n'.repeat(500_000)
    assert.is((await fetch(url + SUBMIT, { method: 'POST', body })).status, 200)
    assert.is(engine.asked[0]?.request.body.length, 1_000_000)
  })
})

it('gives up a caller who goes on with chunks of one byte after the refusal', async () => {
  await serving(fakeEngine(), { bodyBytesMax: 1000 }, async (url) => {
    const line = begin(url, `${CHUNKED}${'1\r\nx\r\n'.repeat(20_000)}`)
    assert.is((await line.closed)[0]?.status, 413)
  })
})

it('has a body that arrives slowly give way to one that comes after it', async () => {
  await serving(fakeEngine(), limits, async (url) => {
    const first = half(url, 'first')
    await heard(first)
    const second = half(url, 'second')
    await heard(second)
    assert.is((await say(url, post(SUBMIT, large('third'))))[0]?.status, 200)
    const [refusal] = await first.closed
    assert.is(refusal?.status, 429)
    assert.is(refusal?.headers['retry-after'], '1')
    assert.is(json(refusal).turnkeyErrorCode, 'RATE_LIMIT_EXCEEDED')
    second.send('"')
    await until(() => second.replies().length === 1)
    assert.is(second.replies()[0]?.status, 200)
    second.socket.end()
  })
})

it('keeps no room for bodies that are announced and do not come', async () => {
  await serving(fakeEngine(), limits, async (url) => {
    const announced = Array.from({ length: 50 }, () => begin(url, post(SUBMIT, large('x')).split('"')[0] ?? ''))
    await heard(...announced)
    const sent = begin(url, post(SUBMIT, large('sent')))
    await until(() => sent.replies().length === 1)
    assert.is(sent.replies()[0]?.status, 200)
    for (const line of [...announced, sent]) line.socket.resetAndDestroy()
  })
})

it('refuses a large body when the engine needs all that is held, and takes small ones', async () => {
  const { engine, waiting, release } = holding()
  await serving(engine, limits, async (url) => {
    const lines = ['one', 'two'].map((name) => begin(url, post(SUBMIT, large(name))))
    await until(() => waiting() === 2)
    assert.is((await say(url, post(SUBMIT, large('three'))))[0]?.status, 429)
    const small = begin(url, post(SUBMIT))
    await until(() => waiting() === 3)
    for (let n = 0; n < 3; n += 1) release()
    await until(() => [...lines, small].every((line) => line.replies()[0]?.status === 200))
    const again = begin(url, post(SUBMIT, large('three')))
    await until(() => waiting() === 1)
    release()
    await until(() => again.replies().length === 1)
    for (const line of [...lines, small, again]) line.socket.end()
  })
})

it('lets the engine work on so many bytes of bodies at once, and on small bodies always', async () => {
  const { engine, waiting, release } = holding()
  await serving(engine, { bodyBytesInFlightMax: 180_000 }, async (url) => {
    const lines = Array.from({ length: 5 }, (_, n) => begin(url, post(SUBMIT, large(String(n)))))
    await heard(...lines)
    assert.is(waiting(), 2)
    const small = begin(url, post(SUBMIT))
    await until(() => waiting() === 3)
    for (let answered = 0; answered < 6; answered += 1) {
      release()
      await until(() => [...lines, small].filter((line) => line.replies().length === 1).length > answered)
    }
    for (const line of [...lines, small]) line.socket.end()
  })
})

it('keeps half of that for others, where the work for one caller takes long', async () => {
  const { engine, waiting, release } = holding()
  await serving(engine, { bodyBytesInFlightMax: 180_000, trustedProxies: ['127.0.0.1'] }, async (url) => {
    const from = (address: string): Line => begin(url, post(SUBMIT, large('x'), [`X-Forwarded-For: ${address}`]))
    const slow = Array.from({ length: 5 }, () => from('192.0.2.1'))
    await heard(...slow)
    assert.is(waiting(), 2)
    const others = [from('192.0.2.2'), from('192.0.2.3')]
    await until(() => waiting() === 4)
    const lines = [...slow, ...others]
    for (let answered = 0; answered < 7; answered += 1) {
      release()
      await until(() => lines.filter((line) => line.replies().length === 1).length > answered)
    }
    for (const line of lines) line.socket.end()
  })
})

it('lets callers take turns with large bodies', async () => {
  const { engine, waiting, release } = holding()
  await serving(engine, { bodyBytesInFlightMax: 1, trustedProxies: ['127.0.0.1'] }, async (url) => {
    const order: string[] = []
    const from = (address: string): Line => {
      const line = begin(url, post(SUBMIT, large('x'), [`X-Forwarded-For: ${address}`]))
      line.socket.once('data', () => order.push(address))
      return line
    }
    const lines: Line[] = []
    for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2']) {
      const line = from(address)
      lines.push(line)
      await heard(line)
    }
    for (let n = 1; n <= 5; n += 1) {
      await until(() => waiting() === 1)
      release()
      await until(() => order.length === n)
    }
    assert.is(order.indexOf('192.0.2.2'), 1)
    for (const line of lines) line.socket.end()
  })
})

it('does not count what waits for the engine as in flight, and has it give way as well', async () => {
  const { engine, waiting, release } = holding()
  const options = { ...limits, bodyBytesInFlightMax: 1, requestsInFlightMax: 2 }
  await serving(engine, options, async (url) => {
    const working = begin(url, post(SUBMIT, large('one')))
    await until(() => waiting() === 1)
    const inLine = begin(url, post(SUBMIT, large('two')))
    await heard(inLine)
    const small = begin(url, post(SUBMIT))
    await until(() => waiting() === 2)
    const late = half(url, 'three')
    assert.is((await inLine.closed)[0]?.status, 429)
    release()
    release()
    await until(() => [working, small].every((line) => line.replies()[0]?.status === 200))
    for (const line of [working, small, late]) line.socket.resetAndDestroy()
  })
})

it('forgets who leaves while waiting for the engine', async () => {
  const { engine, waiting, release } = holding()
  await serving(engine, { bodyBytesInFlightMax: 1 }, async (url) => {
    const working = begin(url, post(SUBMIT, large('one')))
    await until(() => waiting() === 1)
    const leaving = begin(url, post(SUBMIT, large('two')))
    await heard(leaving)
    leaving.socket.resetAndDestroy()
    await missed(leaving)
    const last = begin(url, post(SUBMIT, large('three')))
    await heard(last)
    release()
    await until(() => waiting() === 1)
    release()
    await until(() => last.replies().length === 1)
    assert.match(last.replies()[0]?.body ?? '', 'three')
    for (const line of [working, last]) line.socket.end()
  })
})

it.run()
