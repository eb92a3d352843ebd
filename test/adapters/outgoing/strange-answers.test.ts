import { createServer, type Socket } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Outcome } from '../../../core/ports/outgoing.ts'
import { testClock } from '../../core/world/world.ts'
import { until } from '../../until.ts'
import { internet, listening } from './internet.ts'
import { answered, inDevelopment, posted, unanswered } from './posted.ts'

const it = suite('strange answers')

const SECRET = 'hunter2'

/** What comes of a request to a server that does this once it has the request. */
const outcomeOf = async (reply: (socket: Socket) => void): Promise<Outcome> => {
  const outcomes: Outcome[] = []
  const server = createServer((socket) => void socket.once('data', () => reply(socket)))
  await listening(server, async ({ port }) => {
    outcomes.push(await inDevelopment().post(posted(`http://localhost:${port}/${SECRET}`)))
  })
  const [outcome] = outcomes
  if (outcome === undefined) throw new Error('no outcome')
  return outcome
}

const saying = (text: string) => (socket: Socket) => void socket.end(text, 'latin1')

const OK = 'HTTP/1.1 200 OK\r\n'

it('give no outcome but that of a connection', async () => {
  const cases: { readonly [name: string]: (socket: Socket) => void } = {
    nothing: saying(''),
    reset: (socket) => void socket.resetAndDestroy(),
    'a reset within the status line': (socket) => void socket.write('HTTP/1.1 2', () => socket.resetAndDestroy()),
    garbage: saying(`${SECRET}\r\n\r\n`),
    SSH: saying('SSH-2.0-OpenSSH_9.6\r\n'),
    'HTTP/2': saying('\0\0\0\u0004\0\0\0\0\0'),
    'a request': saying('POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n'),
    'a long status': saying('HTTP/1.1 99999 OK\r\n\r\n'),
    'no status': saying('HTTP/1.1 OK\r\n\r\n'),
    'half a head': saying(`${OK}A: b\r\n`),
    'no name of a header': saying(`${OK}: b\r\n\r\n`),
    'NUL in a header': saying(`${OK}A: b\0c\r\n\r\n`),
    'lengths that differ': saying(`${OK}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`),
    'a length and chunks': saying(`${OK}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\na`),
    'a huge header': saying(`${OK}A: ${'a'.repeat(20_000)}\r\n\r\n`),
    'continue alone': saying('HTTP/1.1 100 Continue\r\n\r\n'),
    'interim answers alone': saying('HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n'),
    'another protocol': saying('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nabc'),
  }
  for (const [name, reply] of Object.entries(cases))
    assert.equal(await outcomeOf(reply), unanswered('connection'), name)
})

it('count by their status line, if they have one, whatever follows', async () => {
  const cases: { readonly [name: string]: (socket: Socket) => void } = {
    'after interim ones': saying(`HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nA: b\r\n\r\n${OK}\r\n`),
    'many headers': saying(`${OK}${'A: b\r\n'.repeat(4_000)}\r\n`),
    'cut short': saying(`${OK}Content-Length: 100\r\n\r\nabc`),
    'cut behind the head': (socket) => void socket.write(`${OK}Content-Length: 9\r\n\r\n`, () => socket.end()),
    'an unknown coding': saying(`${OK}Transfer-Encoding: nonsense\r\n\r\nabc`),
    'no chunks': saying(`${OK}Transfer-Encoding: chunked\r\n\r\nnonsense`),
    'chunks without end': saying(`${OK}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`),
    'a chunk with a huge extension': saying(
      `${OK}Transfer-Encoding: chunked\r\n\r\n3;${'a'.repeat(20_000)}\r\nabc\r\n`,
    ),
    'a second answer': saying(`${OK}Content-Length: 0\r\n\r\nHTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n`),
    'a coding of the body': saying(`${OK}Content-Encoding: gzip\r\n\r\nno gzip`),
    'a connection that is kept': (socket) =>
      void socket.write(`${OK}Connection: keep-alive\r\nContent-Length: 0\r\n\r\n`),
  }
  for (const [name, reply] of Object.entries(cases)) assert.equal(await outcomeOf(reply), answered(200), name)
})

it('are cut where interim ones do not end', async () => {
  const interim = Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'.repeat(500))
  const endless = (socket: Socket): void => {
    const go = (): void => void (socket.writable && socket.write(interim, go))
    go()
  }
  assert.equal(await outcomeOf(endless), unanswered('connection'))
})

it('come too early, and count', async () => {
  const server = createServer((socket) => void socket.end(`${OK}Content-Length: 0\r\n\r\n`))
  await listening(server, async ({ port }) =>
    assert.equal(await inDevelopment().post(posted(`http://localhost:${port}/`)), answered(200)),
  )
})

it('time out where their head comes drop by drop', () =>
  internet(async ({ sockets }) => {
    const clock = testClock()
    const far: Socket[] = []
    const server = createServer((socket) => void socket.once('data', () => far.push(socket)))
    await listening(server, async ({ port }) => {
      const outcome = inDevelopment({ clock }).post(posted(`http://localhost:${port}/`))
      let sent = 0
      for (const drop of `${OK}A: b`) {
        const [socket] = await until(() => (far.length > 0 ? far : undefined))
        socket?.write(drop)
        sent += drop.length
        await until(() => sockets[0]?.bytesRead === sent)
        clock.pass(400)
      }
      assert.is(sockets[0]?.destroyed, false)
      clock.pass(10_000 - 400 * sent)
      assert.equal(await outcome, unanswered('time-out'))
    })
  }))

it('are not quoted: of Retry-After there is a number or a time as we write it', async () => {
  const date = 'Fri, 31 Dec 1999 23:59:59 GMT'
  const cases = [
    ['7', '7'],
    ['0007', '7'],
    [date, date],
    ['Mon, 31 Dec 1999 23:59:59 GMT', date],
    ['Fri, 99 Dec 1999 23:59:59 GMT', undefined],
    ['1234567890', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['7, 8', undefined],
    ['31 Dec 1999', undefined],
    [SECRET, undefined],
    ['', undefined],
  ] as const
  for (const [value, expected] of cases)
    assert.equal(
      await outcomeOf(saying(`HTTP/1.1 429 ${SECRET}\r\nRetry-After: ${value}\r\n\r\n`)),
      answered(429, expected),
      value,
    )
  const twice = saying(`HTTP/1.1 429 No\r\nRetry-After: 7\r\nRetry-After: 8\r\n\r\n`)
  assert.equal(await outcomeOf(twice), answered(429, '7'))
})

it('make nobody write or throw what the path of the URL has', async () => {
  const written: unknown[] = []
  const { stdout, stderr } = process
  const before = [stdout.write, stderr.write] as const
  const keep = (text: unknown): boolean => written.push(text) > 0
  stdout.write = keep
  stderr.write = keep
  const outcomes: Outcome[] = []
  const urls = [
    'https://10.0.0.1/',
    'http://[::1/',
    'https://u:p@a.test/',
    'http://nobody.test/',
    'ftp://a.test/',
    'x:',
  ]
  try {
    outcomes.push(
      await outcomeOf(saying(SECRET)),
      await outcomeOf(saying(`${OK}${SECRET}: ${SECRET}\r\n\r\n${SECRET}`)),
    )
    for (const url of urls)
      outcomes.push(
        await inDevelopment({ lookup: async () => [] }).post(
          posted(`${url}${SECRET}`, { signal: AbortSignal.abort() }),
        ),
      )
    const headers = { [`${SECRET}\r\n`]: 'a' }
    outcomes.push(
      await outcomeOf(saying('')),
      await inDevelopment().post(posted(`http://127.0.0.1:1/${SECRET}`, { headers })),
    )
  } finally {
    ;[stdout.write, stderr.write] = before
  }
  assert.is(outcomes.length, 10)
  assert.equal(written, [])
  assert.not.match(JSON.stringify(outcomes), SECRET)
})

it.run()
