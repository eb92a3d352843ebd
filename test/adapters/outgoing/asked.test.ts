import { createServer, type Socket } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decodeUtf8, encodeUtf8 } from '../../../core/bytes.ts'
import type { Answer, AskedRequest } from '../../../core/ports/outgoing.ts'
import { testClock } from '../../core/world/world.ts'
import { until } from '../../until.ts'
import { internet, listening } from './internet.ts'
import { asked, inDevelopment, unanswered } from './posted.ts'

const it = suite('requests whose answers are read')

const OK = 'HTTP/1.1 200 OK\r\n'

/** What comes of a request to a server that does this once it has the request, and what it had of it. */
const askedOf = async (
  reply: (socket: Socket) => void,
  more: Partial<AskedRequest> = {},
): Promise<{ readonly answer: Answer; readonly received: string }> => {
  let received = ''
  const answers: Answer[] = []
  const server = createServer(
    (socket) =>
      void socket.once('data', (chunk) => {
        received += chunk.toString()
        reply(socket)
      }),
  )
  await listening(server, async ({ port }) => {
    answers.push(await inDevelopment().ask(asked(`http://localhost:${port}/a?b=1`, more)))
  })
  const [answer] = answers
  if (answer === undefined) throw new Error('no answer')
  return { answer, received }
}

const saying = (text: string) => (socket: Socket) => void socket.end(text, 'latin1')

const whole = (status: number, body: string): Answer => ({ _tag: 'answered', status, body: encodeUtf8(body) })

it('have no body if they are a GET, and ask for no coding', async () => {
  const { answer, received } = await askedOf(saying(`${OK}Content-Length: 2\r\n\r\n{}`), {
    headers: { Accept: 'application/json', host: 'elsewhere', 'accept-encoding': 'gzip' },
    body: encodeUtf8('never sent'),
  })
  assert.equal(answer, whole(200, '{}'))
  const [head = '', body] = received.split('\r\n\r\n')
  assert.is(body, '')
  const [line, ...headers] = head.split('\r\n').map((one) => one.replace(/localhost:\d+/, 'localhost'))
  assert.is(line, 'GET /a?b=1 HTTP/1.1')
  const expected = ['Accept-Encoding: identity', 'Accept: application/json', 'Connection: close', 'Host: localhost']
  assert.equal(headers.sort(), expected)
})

it('have a body if they are a POST', async () => {
  const { answer, received } = await askedOf(saying(`${OK}Content-Length: 2\r\n\r\n{}`), {
    method: 'POST',
    body: encodeUtf8('code=1'),
  })
  assert.equal(answer, whole(200, '{}'))
  assert.match(received, /^POST [^]*Content-Length: 6\r\n[^]*\r\n\r\ncode=1$/)
})

it('give status and body of any answer, of which no redirect is followed and no coding is undone', async () => {
  const cases: readonly (readonly [reply: string, answer: Answer])[] = [
    [`${OK}Content-Length: 3\r\n\r\nabc`, whole(200, 'abc')],
    [`${OK}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n2\r\nbc\r\n0\r\n\r\n`, whole(200, 'abc')],
    [`${OK}\r\nabc`, whole(200, 'abc')],
    [`${OK}Content-Encoding: gzip\r\n\r\nabc`, whole(200, 'abc')],
    ['HTTP/1.1 204 No\r\n\r\n', whole(204, '')],
    ['HTTP/1.1 302 Found\r\nLocation: http://localhost/\r\nContent-Length: 1\r\n\r\na', whole(302, 'a')],
    ['HTTP/1.1 400 No\r\nContent-Length: 1\r\n\r\na', whole(400, 'a')],
    [`HTTP/1.1 103 Early Hints\r\n\r\n${OK}Content-Length: 1\r\n\r\na`, whole(200, 'a')],
  ]
  await internet(async ({ tried }) => {
    for (const [reply, answer] of cases) assert.equal((await askedOf(saying(reply))).answer, answer, reply)
    assert.is(tried.length, cases.length)
  })
})

it('are unanswered where a part of the answer is missing', async () => {
  const cases: { readonly [name: string]: (socket: Socket) => void } = {
    nothing: saying(''),
    'a length that is not reached': saying(`${OK}Content-Length: 4\r\n\r\nabc`),
    'chunks without end': saying(`${OK}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`),
    'no chunks': saying(`${OK}Transfer-Encoding: chunked\r\n\r\nnonsense`),
    'a reset': (socket) => void socket.write(`${OK}Content-Length: 4\r\n\r\nabc`, () => socket.resetAndDestroy()),
    'another protocol': saying('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nabc'),
  }
  for (const [name, reply] of Object.entries(cases))
    assert.equal((await askedOf(reply)).answer, unanswered('connection'), name)
})

it('read as many bytes of a body as their limit says, and no more', async () => {
  const body = (bytes: number) => saying(`${OK}Content-Length: ${bytes}\r\n\r\n${'a'.repeat(bytes)}`)
  assert.equal((await askedOf(body(1_000))).answer, whole(200, 'a'.repeat(1_000)))
  assert.equal((await askedOf(body(1_001))).answer, { _tag: 'unanswered', why: 'too-large' })
})

it('cut a body of 100 MB, with or without an end, soon after their limit', async () => {
  const chunk = Buffer.alloc(16_384, 'x')
  for (const head of [`${OK}Content-Length: 100000000\r\n\r\n`, `${OK}\r\n`])
    await internet(async ({ sockets }) => {
      const endless = (socket: Socket): void => {
        const go = (): void => void (socket.writable && socket.write(chunk, go))
        socket.write(head, go)
      }
      assert.equal((await askedOf(endless)).answer, { _tag: 'unanswered', why: 'too-large' })
      const read = sockets[0]?.bytesRead ?? 0
      assert.ok(read > 1_000 && read <= 1_000 + 65_536 * 2, `${read}`)
    })
})

it('cut interim answers, and chunks of single bytes, that do not end', async () => {
  const endless = (text: string) => (socket: Socket) => {
    const go = (): void => void (socket.writable && socket.write(text.repeat(2_000), go))
    go()
  }
  assert.equal((await askedOf(endless('HTTP/1.1 103 Early Hints\r\n\r\n'))).answer, unanswered('connection'))
  const limits = { totalMs: 5_000, bytesMax: 65_536 }
  const chunks = (socket: Socket) =>
    void socket.write(`${OK}Transfer-Encoding: chunked\r\n\r\n`, () => endless('1;extension\r\na\r\n')(socket))
  assert.equal((await askedOf(chunks, { limits })).answer, unanswered('connection'))
})

it('time out where the body comes drop by drop', () =>
  internet(async ({ sockets }) => {
    const clock = testClock()
    const far: Socket[] = []
    const server = createServer((socket) => void socket.once('data', () => far.push(socket)))
    await listening(server, async ({ port }) => {
      const answer = inDevelopment({ clock }).ask(asked(`http://localhost:${port}/`))
      const [socket] = await until(() => (far.length > 0 ? far : undefined))
      let sent = OK.length + 2
      socket?.write(`${OK}\r\n`)
      for (let n = 0; n < 10; n += 1) {
        socket?.write('a')
        sent += 1
        await until(() => sockets[0]?.bytesRead === sent)
        clock.pass(499)
      }
      assert.is(sockets[0]?.destroyed, false)
      clock.pass(10)
      assert.is(sockets[0]?.destroyed, true)
      assert.equal(await answer, unanswered('time-out'))
    })
  }))

it('end by their signal and when they are closed, also in the middle of a body', () =>
  internet(async ({ sockets }) => {
    const half = `${OK}Content-Length: 4\r\n\r\nab`
    const server = createServer((socket) => void socket.write(half))
    await listening(server, async ({ port }) => {
      const url = `http://localhost:${port}/`
      const outgoing = inDevelopment()
      const stopping = new AbortController()
      const answers = [outgoing.ask(asked(url, { signal: stopping.signal })), outgoing.ask(asked(url))]
      await until(() => sockets.length === 2 && sockets.every(({ bytesRead }) => bytesRead === half.length))
      stopping.abort()
      assert.equal(await answers[0], unanswered('aborted'))
      await outgoing.close()
      assert.equal(await answers[1], unanswered('aborted'))
      assert.equal(await outgoing.ask(asked(url)), unanswered('aborted'))
      assert.is(sockets.length, 2)
    })
  }))

it('give bytes as they came', async () => {
  const { answer } = await askedOf(saying(`${OK}Content-Length: 3\r\n\r\n\xff\x00\xfe`))
  assert.equal(answer, { _tag: 'answered', status: 200, body: Uint8Array.of(0xff, 0, 0xfe) })
  assert.is(answer._tag === 'answered' && decodeUtf8(answer.body), undefined)
})

it.run()
