import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeOutgoing } from '../../../adapters/outgoing/node-outgoing.ts'
import type { Outcome } from '../../../core/ports/outgoing.ts'
import { isWaiting } from '../../core/world/under-way.ts'
import { testClock } from '../../core/world/world.ts'
import { until } from '../../until.ts'
import { internet, listening } from './internet.ts'
import { answered, inDevelopment, posted, unanswered } from './posted.ts'

const it = suite('outgoing requests')

type Served = { readonly url: string; readonly requests: readonly IncomingMessage[] }

const serving = (listener: RequestListener, play: (served: Served) => Promise<void>): Promise<void> => {
  const requests: IncomingMessage[] = []
  const server = createHttpServer((request, response) => {
    requests.push(request)
    listener(request, response)
  })
  return listening(server, ({ port }) => play({ url: `http://localhost:${port}/hook?a=1`, requests }))
}

const silent: RequestListener = () => {}

it('are sent to path and query of the URL, and have nothing else of it', async () => {
  let received = ''
  const server = createServer((socket) =>
    socket.on('data', (chunk) => {
      received += chunk.toString()
      if (received.endsWith('{}')) socket.end('HTTP/1.1 204 No Content\r\n\r\n')
    }),
  )
  await listening(server, async ({ port }) => {
    const headers = { 'Content-Type': 'application/json', host: 'elsewhere', 'content-length': '7' }
    const url = `http://localhost:${port}/a%0d%0ab/ü?q=\r\n1 #fragment`
    assert.equal(await inDevelopment().post(posted(url, { headers })), answered(204))
    const [head = '', body] = received.split('\r\n\r\n')
    assert.is(body, '{}')
    assert.equal(head.split('\r\n').sort(), [
      'Connection: close',
      'Content-Length: 2',
      'Content-Type: application/json',
      `Host: localhost:${port}`,
      'POST /a%0d%0ab/%C3%BC?q=1%20 HTTP/1.1',
    ])
  })
})

it('give the status of the answer, and follow no redirect', () =>
  serving(
    (_, response) => void response.writeHead(307, { Location: '/elsewhere' }).end(),
    async ({ url, requests }) => {
      assert.equal(await inDevelopment().post(posted(url)), answered(307))
      assert.is(requests.length, 1)
    },
  ))

it('end with the connection where more than 64 KiB come, whose rest nobody reads', () =>
  internet(async ({ sockets }) => {
    const chunk = Buffer.alloc(16_384, 'x')
    const server = createServer((socket) => {
      const go = (): void => void (socket.writable && socket.write(chunk, go))
      socket.write('HTTP/1.1 503 Busy\r\n\r\n', go)
    })
    await listening(server, async ({ port }) => {
      assert.equal(await inDevelopment().post(posted(`http://localhost:${port}/`)), answered(503))
      const read = sockets[0]?.bytesRead ?? 0
      assert.ok(read > 65_536 && read <= 65_536 * 2, `${read}`) // one chunk more, which Node had read already
    })
  }))

it('count by the status line where the answer has no end', () =>
  internet(async ({ sockets }) => {
    const clock = testClock()
    const answer = 'HTTP/1.1 200 OK\r\n\r\na'
    const server = createServer((socket) => void socket.write(answer))
    await listening(server, async ({ port }) => {
      const outcome = inDevelopment({ clock }).post(posted(`http://localhost:${port}/`))
      await until(() => sockets[0]?.bytesRead === answer.length)
      clock.pass(9_999)
      assert.is(sockets[0]?.destroyed, false)
      clock.pass(1)
      assert.is(sockets[0]?.destroyed, true)
      assert.equal(await outcome, answered(200))
    })
  }))

it('time out ten seconds after they began', () =>
  internet(({ sockets }) =>
    serving(silent, async ({ url, requests }) => {
      const clock = testClock()
      const outcome = inDevelopment({ clock }).post(posted(url))
      await until(() => requests.length === 1)
      clock.pass(9_999)
      assert.is(sockets[0]?.destroyed, false)
      clock.pass(1)
      assert.is(sockets[0]?.destroyed, true)
      assert.equal(await outcome, unanswered('time-out'))
    }),
  ))

it('time out three seconds after they began to connect', () =>
  internet(async ({ tried, sockets, lead }) => {
    const clock = testClock()
    lead('127.0.0.1 80', 'nowhere')
    const outcome = inDevelopment({ clock }).post(posted('http://localhost/'))
    await until(() => tried.length === 1)
    clock.pass(2_999)
    assert.is(sockets[0]?.destroyed, false)
    clock.pass(1)
    assert.is(sockets[0]?.destroyed, true)
    assert.equal(await outcome, unanswered('time-out'))
  }))

it('time out three seconds after they began to connect, also where TLS is what hangs', () =>
  internet(async ({ sockets }) => {
    const clock = testClock()
    let hello = 0
    const server = createServer((socket) => socket.on('data', (chunk) => (hello += chunk.length)))
    await listening(server, async ({ port }) => {
      const outcome = inDevelopment({ clock }).post(posted(`https://localhost:${port}/`))
      await until(() => hello > 0)
      clock.pass(2_999)
      assert.is(sockets[0]?.destroyed, false)
      clock.pass(1)
      assert.is(sockets[0]?.destroyed, true)
      assert.equal(await outcome, unanswered('time-out'))
    })
  }))

it('wait for no look-up that hangs: it may end later, in any way', async () => {
  const ends: (() => void)[] = []
  const lookup = () => new Promise<readonly string[]>((resolve, reject) => ends.push(() => resolve([]), reject))
  const clock = testClock()
  const outgoing = nodeOutgoing({ clock, lookup })
  const late = outgoing.post(posted('https://example.com/'))
  clock.pass(10_000)
  assert.equal(await late, unanswered('time-out'))
  const closed = outgoing.post(posted('https://example.com/'))
  await outgoing.close()
  assert.equal(await closed, unanswered('aborted'))
  for (const end of ends) end()
})

it('end by their signal: before they begin, while they are looked up, while they connect, and while they wait', () =>
  internet(async ({ tried, lead }) => {
    const outcomes: Outcome[] = []
    const abortedWhen = async (url: string, isSo: () => boolean, lookup = async () => ['127.0.0.1']): Promise<void> => {
      const stopping = new AbortController()
      const outcome = inDevelopment({ lookup }).post(posted(url, { signal: stopping.signal }))
      await until(isSo)
      assert.ok(await isWaiting(outcome))
      stopping.abort()
      outcomes.push(await outcome)
    }
    let lookups = 0
    const lookup = async () => {
      lookups += 1
      return new Promise<string[]>(() => {})
    }
    await serving(silent, async ({ url, requests }) => {
      outcomes.push(await inDevelopment({ lookup }).post(posted(url, { signal: AbortSignal.abort() })))
      assert.is(lookups, 0)
      await abortedWhen(url, () => lookups === 1, lookup)
      assert.equal(tried, [])
      await abortedWhen(url, () => requests.length === 1)
      lead('127.0.0.1 80', 'nowhere')
      await abortedWhen('http://localhost/', () => tried.length === 2)
    })
    assert.equal(outcomes, Array(4).fill(unanswered('aborted')))
  }))

it('ask right before they connect whether they still may', () =>
  internet(async ({ tried }) => {
    const steps: string[] = []
    const lookup = async (host: string) => {
      steps.push(host)
      return ['127.0.0.1']
    }
    const mayStill = () => steps.push('may it?') === 0
    assert.equal(await inDevelopment({ lookup }).post(posted('http://name/', { mayStill })), unanswered('aborted'))
    assert.equal(steps, ['name', 'may it?'])
    assert.equal(tried, [])
  }))

it('end when they are closed, and none begins afterwards', () =>
  serving(silent, async ({ url, requests }) => {
    const outgoing = inDevelopment()
    const outcomes = [outgoing.post(posted(url)), outgoing.post(posted(url))]
    await until(() => requests.length === 2)
    await outgoing.close()
    outcomes.push(outgoing.post(posted(url)))
    assert.equal(await Promise.all(outcomes), Array(3).fill(unanswered('aborted')))
    assert.is(requests.length, 2)
  }))

it('leave no timer and no listener behind', () =>
  serving(
    (_, response) => void response.end(),
    async ({ url }) => {
      const timers = new Set<symbol>()
      const after = () => {
        const timer = Symbol('timer')
        timers.add(timer)
        return () => void timers.delete(timer)
      }
      const { signal } = new AbortController()
      let listeners = 0
      const add = signal.addEventListener.bind(signal)
      const remove = signal.removeEventListener.bind(signal)
      signal.addEventListener = (...args: Parameters<typeof add>) => {
        listeners += 1
        add(...args)
      }
      signal.removeEventListener = (...args: Parameters<typeof remove>) => {
        listeners -= 1
        remove(...args)
      }
      assert.equal(await inDevelopment({ clock: { after } }).post(posted(url, { signal })), answered(200))
      assert.is(timers.size, 0)
      assert.is(listeners, 0)
    },
  ))

it('are answered by a host at which others hang', () =>
  serving(
    ({ url }, response) => {
      if (url === '/good') response.end()
    },
    async ({ url, requests }) => {
      const outgoing = inDevelopment()
      const hanging = Array.from({ length: 20 }, () => outgoing.post(posted(url)))
      await until(() => requests.length === 20)
      const good = Array.from({ length: 20 }, () => outgoing.post(posted(new URL('/good', url).href)))
      assert.equal(await Promise.all(good), Array(20).fill(answered(200)))
      assert.ok(await isWaiting(Promise.race(hanging)))
      await outgoing.close()
      assert.equal(await Promise.all(hanging), Array(20).fill(unanswered('aborted')))
    },
  ))

it.run()
