import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { refusalOfFraming } from '../../../adapters/http/framing.ts'
import { fakeEngine } from './fake-engine.ts'
import { dial, json, post, say, serving } from './transport.ts'

const it = suite('what RFC 9112 has a server refuse')

const QUERY = '/public/v1/query/whoami'

/** A request with these lines instead of its first, and then its headers. */
const request = (line: string, ...headers: readonly string[]): string => [line, ...headers, '', ''].join('\r\n')
const get = (...headers: readonly string[]): string => request('GET /healthz HTTP/1.1', ...headers)
const chunked = (line: string, ...headers: readonly string[]): string =>
  `${request(line, ...headers)}2\r\n{}\r\n0\r\n\r\n`

const refused: readonly (readonly [section: string, what: string, bytes: string])[] = [
  ['2.2', 'space before the first header', request('GET /healthz HTTP/1.1', ' Host: test')],
  ['2.2', 'a carriage return alone', get('Host: test', 'X: a\rb')],
  ['2.3', 'another major version', request('GET /healthz HTTP/2.0', 'Host: test')],
  ['2.3', 'a version that had no number', request('GET /healthz HTTP/0.9', 'Host: test')],
  ['2.3', 'a version with more digits', request('GET /healthz HTTP/1.10', 'Host: test')],
  ['3', 'a space in the target', request('GET /heal thz HTTP/1.1', 'Host: test')],
  ['3.2', 'no host', get()],
  ['3.2', 'no host beside a target with a host', request('GET http://test/healthz HTTP/1.1')],
  ['3.2', 'two hosts', get('Host: test', 'Host: other')],
  ['3.2', 'the same host twice', get('Host: test', 'HOST: test')],
  ['3.2', 'two hosts in HTTP/1.0', request('GET /healthz HTTP/1.0', 'Host: test', 'Host: other')],
  ['3.2', 'two hosts on the public API', post(QUERY, '{}', ['host: other'])],
  ['3.2', 'two hosts where there is no route', request('GET /nowhere HTTP/1.1', 'Host: test', 'Host: test')],
  ['3.2', 'a host with a space', get('Host: te st')],
  ['3.2', 'a host with a path', get('Host: test/path')],
  ['3.2', 'a host with a user', get('Host: user@test')],
  ['3.2', 'a host with a port that is no number', get('Host: test:http')],
  ['3.2', 'a host beyond ASCII', get('Host: t\u00e9st')],
  ['3.2', 'a host with an address that is not closed', get('Host: [::1')],
  ['5', 'a space before the colon of the host', get('Host : test')],
  ['5.2', 'a folded host', get('Host:', ' test')],
  ['5.2', 'a folded stamp', post(QUERY, '{}', ['X-Stamp: abc', ' def'])],
  [
    '5.2',
    'a folded transfer encoding',
    chunked(`POST ${QUERY} HTTP/1.1`, 'Host: test', 'Transfer-Encoding:', '\tchunked'),
  ],
  ['6.1', 'chunks in HTTP/1.0', chunked(`POST ${QUERY} HTTP/1.0`, 'Transfer-Encoding: chunked')],
  [
    '6.1',
    'chunks in HTTP/1.0 on a connection that goes on',
    chunked('GET /healthz HTTP/1.0', 'Connection: keep-alive', 'Transfer-Encoding: chunked') + get('Host: test'),
  ],
  [
    '6.1',
    'chunks and a length',
    chunked(`POST ${QUERY} HTTP/1.1`, 'Host: test', 'Transfer-Encoding: chunked', 'Content-Length: 2'),
  ],
  [
    '6.1',
    'an encoding before chunks',
    chunked(`POST ${QUERY} HTTP/1.1`, 'Host: test', 'Transfer-Encoding: gzip, chunked'),
  ],
  [
    '6.1',
    'an encoding before chunks, in two headers, where no body is read',
    chunked('GET /healthz HTTP/1.1', 'Host: test', 'Transfer-Encoding: gzip', 'Transfer-Encoding: chunked'),
  ],
  ['6.1', 'chunks in chunks', chunked(`POST ${QUERY} HTTP/1.1`, 'Host: test', 'Transfer-Encoding: chunked, chunked')],
  [
    '6.3',
    'an encoding after chunks',
    chunked(`POST ${QUERY} HTTP/1.1`, 'Host: test', 'Transfer-Encoding: chunked, gzip'),
  ],
  [
    '6.3',
    'another encoding than chunks',
    `${request(`POST ${QUERY} HTTP/1.1`, 'Host: test', 'Transfer-Encoding: gzip')}{}`,
  ],
  ['6.3', 'an empty encoding', post(QUERY, '{}', ['Transfer-Encoding:'])],
  ['6.3', 'a list of lengths', post(QUERY).replace('Length: 2', 'Length: 2, 2')],
  ['6.3', 'a length with a sign', post(QUERY).replace('Length: 2', 'Length: +2')],
  ['6.3', 'an empty length', post(QUERY).replace('Length: 2', 'Length:')],
  ['6.3', 'a length beyond 64 bits', post(QUERY).replace('Length: 2', 'Length: 18446744073709551618')],
  [
    '7.1',
    'a chunk of a size beyond 64 bits',
    chunked(`POST ${QUERY} HTTP/1.1`, 'Host: t', 'Transfer-Encoding: chunked').replace(
      '\n2\r',
      '\n10000000000000002\r',
    ),
  ],
  [
    '7.1',
    'a chunk with a space before its size',
    chunked(`POST ${QUERY} HTTP/1.1`, 'Host: t', 'Transfer-Encoding: chunked').replace('\n2\r', '\n 2\r'),
  ],
  [
    '7.1',
    'a chunk whose size ends with a line feed alone',
    chunked(`POST ${QUERY} HTTP/1.1`, 'Host: t', 'Transfer-Encoding: chunked').replace('\n2\r', '\n2'),
  ],
]

for (const [section, what, bytes] of refused)
  it(`${section}: answers 400 to ${what}, and closes`, async () => {
    const engine = fakeEngine()
    await serving(engine, {}, async (url) => {
      const line = dial(url)
      line.send(Buffer.from(bytes, 'latin1'))
      const [reply, ...more] = await line.closed
      assert.is(reply?.status, 400)
      assert.is(reply?.headers.connection, 'close')
      assert.is(json(reply).code, 3)
      assert.equal(more, [], 'one answer')
    })
    assert.is(engine.asked.length, 0)
  })

const accepted: readonly (readonly [what: string, bytes: string])[] = [
  ['an empty host', get('Host:')],
  ['a host with a port', get('Host: api.example.com:443')],
  ['a host with a port that is left out', get('Host: api.example.com:')],
  ['an address of IPv4', get('Host: 127.0.0.1:8080')],
  ['an address of IPv6', get('Host: [::1]:8080')],
  ['an address of IPv6 with a zone', get('Host: [fe80::1%25eth0]')],
  ['a host with characters that are allowed in names', get("Host: a_b-c~d!$&'()*+,;=%41")],
  ['no host in HTTP/1.0', request('GET /healthz HTTP/1.0')],
  ['a target with another host than the header', request('GET http://other/healthz HTTP/1.1', 'Host: test')],
  ['an empty line before the request', `\r\n${get('Host: test')}`],
  [
    'an extension and a trailer',
    chunked(`POST ${QUERY} HTTP/1.1`, 'Host: t', 'Transfer-Encoding: Chunked')
      .replace('\n2\r', '\n2;a=b\r')
      .replace('0\r\n', '0\r\nX: y\r\n'),
  ],
]

for (const [what, bytes] of accepted)
  it(`accepts ${what}`, async () => {
    await serving(fakeEngine(), {}, async (url) => {
      const replies = await say(url, Buffer.from(bytes, 'latin1'))
      assert.equal(
        replies.map(({ status }) => status),
        [200],
      )
    })
  })

it('decides at once, however long the host is', () => {
  for (const host of [`${'a'.repeat(16_000)}\u0001`, `${'%41'.repeat(5000)}%`, `[${':'.repeat(16_000)}`]) {
    const request = { headers: { host }, rawHeaders: ['Host', host], httpVersion: '1.1' }
    assert.ok(refusalOfFraming(request as Parameters<typeof refusalOfFraming>[0])) // it looks at nothing else
  }
})

it.run()
