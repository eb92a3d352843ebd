import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { httpHandler } from '../../../adapters/http/index.ts'
import { TE } from '../../../core/prelude.ts'
import { until } from '../../until.ts'
import { fakeEngine, type FakeEngine } from './fake-engine.ts'
import { dial, heard, hosting, post, say, serving, type Line } from './transport.ts'

const it = suite('answers that nobody reads')

const VAST = 'x'.repeat(12 * 1024 * 1024) // more than the kernel takes in for a caller who reads nothing
const vast = '/public/v1/query/vast'
const small = '/public/v1/query/small'

const answering = (asked: string[] = []): FakeEngine =>
  fakeEngine({
    query: (operation) => {
      asked.push(operation)
      return TE.right({ text: operation === 'vast' ? `${VAST}${asked.length}` : 'small' })
    },
  })

/** A caller who reads the beginning of an answer, and then nothing. */
const ask = (url: string, headers: readonly string[] = []): Line => {
  const line = dial(url)
  line.socket.once('data', () => line.socket.pause())
  line.send(post(vast, '{}', headers))
  return line
}

const hasBegun = ({ socket }: Line): boolean => socket.bytesRead > 0

it('do not keep others from small answers, and make the next large one wait', async () => {
  const asked: string[] = []
  await serving(answering(asked), { answerBytesHeldMax: 13_000_000 }, async (url) => {
    const first = ask(url)
    await until(() => hasBegun(first))
    const second = ask(url)
    await until(() => asked.length === 2)
    for (let n = 0; n < 5; n += 1) assert.is((await say(url, post(small)))[0]?.status, 200)
    assert.not.ok(hasBegun(second))
    first.socket.resume()
    await until(() => first.replies().length === 1)
    await until(() => hasBegun(second))
    second.socket.resume()
    await until(() => second.replies().length === 1)
    assert.equal(asked.filter((operation) => operation === 'vast').length, 3, 'what waited was asked again')
    for (const line of [first, second]) line.socket.end()
  })
})

it('are cut off after the time of a request where others wait, the first of them first', async () => {
  await hosting(httpHandler(answering(), { answerBytesHeldMax: 26_000_000, requestTimeoutMs: 150 }), async (url) => {
    const order: string[] = []
    const slow: Line[] = []
    for (const name of ['first', 'second']) {
      const line = ask(url)
      void line.closed.then(() => order.push(name))
      await until(() => hasBegun(line))
      slow.push(line)
    }
    const next = ask(url)
    await until(() => hasBegun(next))
    for (const line of slow) line.socket.resume() // to learn of the end
    await until(() => order.length > 0)
    assert.is(order[0], 'first')
    next.socket.resume()
    await until(() => next.replies().length === 1)
    for (const line of [...slow, next]) line.socket.resetAndDestroy()
  })
})

it('may take their time where nobody waits', async () => {
  await hosting(httpHandler(answering(), { answerBytesHeldMax: 13_000_000, requestTimeoutMs: 50 }), async (url) => {
    const line = ask(url)
    await until(() => hasBegun(line))
    const slow = dial(url)
    slow.send(post(small).slice(0, -1))
    await until(() => slow.replies().length === 1) // 408: its time is over, and began later
    line.socket.resume()
    await until(() => line.replies().length === 1 || line.socket.destroyed)
    assert.equal([line.replies()[0]?.status, slow.replies()[0]?.status], [200, 408])
    for (const each of [line, slow]) each.socket.resetAndDestroy()
  })
})

it('leave their room to who comes next, when their callers go', async () => {
  await serving(answering(), { answerBytesHeldMax: 13_000_000 }, async (url) => {
    const [first, waiting, last] = [ask(url), ask(url), ask(url)]
    await until(() => hasBegun(first))
    await heard(waiting, last)
    waiting.socket.resetAndDestroy()
    first.socket.resetAndDestroy()
    await until(() => hasBegun(last))
    last.socket.resume()
    await until(() => last.replies().length === 1)
    last.socket.end()
  })
})

it('let a large body of a caller who waits for room give way to another body', async () => {
  const options = { answerBytesHeldMax: 13_000_000, bodyBytesMax: 50_000, bodyBytesHeldMax: 100_000 }
  await serving(answering(), options, async (url) => {
    const body = `"${'x'.repeat(40_000)}"`
    const unread = ask(url)
    await until(() => hasBegun(unread))
    const waiting = [dial(url), dial(url)]
    for (const line of waiting) {
      line.send(post(vast, body))
      await heard(line)
    }
    assert.is((await say(url, post(small, body)))[0]?.status, 200)
    assert.is((await waiting[0]?.closed)?.[0]?.status, 429)
    assert.not.ok(waiting.some(({ socket }) => socket.bytesRead > 10_000))
    for (const line of [unread, ...waiting]) line.socket.resetAndDestroy()
  })
})

it('are larger than all room only one at a time', async () => {
  await serving(answering(), { answerBytesHeldMax: 1000 }, async (url) => {
    const replies = await Promise.all([1, 2, 3].map(() => say(url, post(vast))))
    assert.equal(
      replies.map(([reply]) => reply?.status),
      [200, 200, 200],
    )
  })
})

it('take their turns by caller', async () => {
  const options = { answerBytesHeldMax: 1000, trustedProxies: ['127.0.0.1'] }
  await serving(answering(), options, async (url) => {
    const begun: { readonly address: string; readonly line: Line }[] = []
    const lines: Line[] = []
    for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2']) {
      const line = ask(url, [`X-Forwarded-For: ${address}`])
      line.socket.once('data', () => begun.push({ address, line }))
      lines.push(line)
      await heard(line)
    }
    for (let n = 1; n <= 5; n += 1) {
      await until(() => begun.length >= n) // the next begins before the one before is read to its end
      begun[n - 1]?.line.socket.resume()
    }
    assert.is(
      begun.findIndex(({ address }) => address === '192.0.2.2'),
      2,
    )
    for (const line of lines) line.socket.end()
  })
})

it('come to a host that has a server of its own in the same way', async () => {
  // Pipelined there, their responses wait behind each other, and none of them closes with the connection.
  await hosting(httpHandler(answering(), { answerBytesHeldMax: 38_000_000 }), async (url) => {
    const line = dial(url)
    line.socket.once('data', () => line.socket.pause())
    line.send(post(vast).repeat(4))
    await until(() => hasBegun(line))
    await heard(line)
    line.socket.resetAndDestroy()
    const others = [ask(url), ask(url), ask(url)]
    await until(() => others.every(hasBegun))
    for (const each of others) each.socket.resetAndDestroy()
  })
})

it.run()
