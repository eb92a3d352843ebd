import { createServer } from 'node:http'
import { createServer as createSecure } from 'node:https'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { lookupBySystem, mayConnect, vettedAddresses, vettedUrl } from '../../../adapters/outgoing/vetted-addresses.ts'
import { nodeOutgoing } from '../../../adapters/outgoing/node-outgoing.ts'
import type { Outgoing } from '../../../core/ports/outgoing.ts'
import { testClock } from '../../core/world/world.ts'
import { certificateOf } from '../../certificate-of.ts'
import { vectorFile } from '../../vectors.ts'
import { internet, listening } from './internet.ts'
import { answered, asked, inDevelopment, posted, unanswered } from './posted.ts'

const it = suite('addresses of outgoing requests')

type Cases = { readonly mustReject: readonly { readonly url: string }[]; readonly mustAllow: readonly string[] }
const vectors = vectorFile<Cases>('ssrf-own', 'webhook-url-cases.json')
const cases = vectors?.mustReject.map(({ url }) => url) ?? []

/** Each way to send a request. */
const USES = {
  post: ({ post }: Outgoing, url: string) => post(posted(url)),
  ask: ({ ask }: Outgoing, url: string) => ask(asked(url)),
}

const PUBLIC = '93.184.215.14'

it('are never connected to where the URL or the look-up names a private one', () =>
  internet(async ({ tried }) => {
    const outgoing = nodeOutgoing({ clock: testClock(), lookup: async () => ['127.0.0.1'] })
    for (const [name, use] of Object.entries(USES))
      for (const url of cases) assert.equal(await use(outgoing, url), unanswered('refused'), `${name} ${url}`)
    assert.equal(tried, [])
  }))

it('are connected to where the URL and the look-up name a public one, with the name for TLS and in the head', async () => {
  const hosts = ['example.com', '93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946', 'xn--bcher-kva.example']
  const made = certificateOf([...hosts, 'sub.example.co.uk'])
  const urls = vectors?.mustAllow ?? []
  await internet(async ({ lead, tried }) => {
    const heard: string[] = []
    const server = createSecure(made, ({ method, headers: { host } }, response) => {
      heard.push(`${method} ${host}`)
      response.end()
    })
    const names: unknown[] = []
    server.on('secureConnection', ({ servername }) => names.push(servername))
    await listening(server, async ({ port, connections }) => {
      for (const address of [PUBLIC, ...hosts]) lead(`${address} 443`, { port })
      const outgoing = nodeOutgoing({ clock: testClock(), lookup: async () => [PUBLIC], ca: made.cert })
      for (const url of urls) {
        assert.is((await outgoing.post(posted(url)))._tag, 'answered', url)
        assert.is((await outgoing.ask(asked(url)))._tag, 'answered', url)
        const { host, hostname } = new URL(url)
        assert.equal(heard.splice(0), [`POST ${host}`, `GET ${host}`])
        assert.equal(names.splice(0), Array(2).fill(/^[[\d]/.test(host) ? false : hostname))
      }
      assert.is(connections.length, 2 * urls.length)
      assert.is(tried.length, connections.length)
    })
  })
})

it('are private in the spelling that a URL gives them', () =>
  internet(async ({ tried }) => {
    assert.is(new URL('https://[::127.0.0.1]/').hostname, '[::7f00:1]')
    const outgoing = nodeOutgoing({ clock: testClock() })
    for (const use of Object.values(USES))
      assert.equal(await use(outgoing, 'https://[::127.0.0.1]/'), unanswered('refused'))
    assert.not.ok(mayConnect('::7f00:1', false))
    assert.equal(tried, [])
  }))

it('decide alone about names that are private by the look-up only', () =>
  internet(async ({ tried }) => {
    const looked: string[] = []
    const lookup = async (host: string) => {
      looked.push(host)
      return [PUBLIC]
    }
    const outgoing = nodeOutgoing({ clock: testClock(), lookup })
    for (const url of cases) await outgoing.post(posted(url))
    if (cases.length === 0) return
    const long = looked.pop() ?? ''
    assert.is(long.length, 305)
    const names = ['localhost', 'localhost', 'localhost.', 'foo.localhost', 'ip6-localhost', 'metadata.google.internal']
    assert.equal(looked, names)
    assert.equal(tried, Array(7).fill(`${PUBLIC} 443`))
  }))

it('are looked up once for each request, and connected to as they were then', () =>
  internet(async ({ tried }) => {
    const server = createServer((_, response) => void response.end())
    await listening(server, async ({ port, connections }) => {
      let lookups = 0
      const lookup = async () => [(lookups += 1) === 1 ? '127.0.0.1' : '169.254.169.254']
      const outgoing = inDevelopment({ lookup })
      assert.equal(await outgoing.post(posted(`http://rebinding:${port}/`)), answered(200))
      assert.is(lookups, 1)
      assert.equal(await outgoing.post(posted(`http://rebinding:${port}/`)), unanswered('refused'))
      assert.is(lookups, 2)
      assert.equal(tried, [`127.0.0.1 ${port}`])
      assert.is(connections.length, 1)
    })
  }))

it('are private at no time, where a name answers with a public one first and a private one later, or the other way round', () =>
  internet(async ({ tried }) => {
    for (const asked of [
      [[PUBLIC], ['10.0.0.1'], ['127.0.0.1'], [PUBLIC]],
      [['127.0.0.1'], [PUBLIC], ['::ffff:10.0.0.1'], [PUBLIC, '10.0.0.1']],
    ]) {
      const answers = [...asked]
      const outgoing = nodeOutgoing({ clock: testClock(), lookup: async () => answers.shift() ?? [] })
      for (const addresses of asked) {
        const isPublic = addresses.every((address) => address === PUBLIC)
        const expected = unanswered(isPublic ? 'connection' : 'refused') // nobody is there
        assert.equal(await outgoing.post(posted('https://rebinding.test/')), expected, addresses.join())
      }
      assert.equal(answers, [])
    }
    assert.equal(tried, Array(3).fill(`${PUBLIC} 443`))
  }))

it('are those of the socket, too, before anything is sent', () =>
  internet(async ({ tried, sockets, lead }) => {
    const server = createServer((_, response) => void response.end())
    await listening(server, async ({ port, connections }) => {
      const outgoing = nodeOutgoing({ clock: testClock(), lookup: async () => [PUBLIC] })
      for (const as of ['127.0.0.1', '::ffff:10.0.0.1', '169.254.169.254', '']) {
        lead(`${PUBLIC} 443`, { port, as })
        assert.equal(await outgoing.post(posted('https://example.com/')), unanswered('refused'), as)
      }
      assert.equal(tried, Array(4).fill(`${PUBLIC} 443`))
      assert.ok(sockets.every(({ bytesWritten, destroyed }) => bytesWritten === 0 && destroyed))
      assert.ok(connections.every(({ bytesRead }) => bytesRead === 0))
    })
  }))

it('are all public, or none is connected to', () =>
  internet(async ({ tried }) => {
    const of = (...addresses: readonly string[]) =>
      nodeOutgoing({ clock: testClock(), lookup: async () => addresses }).post(posted('https://example.com/'))
    assert.equal(await of(), unanswered('no-address'))
    for (const wrong of [
      '10.0.0.1',
      '::1',
      '::ffff:7f00:1',
      '64:ff9b::7f00:1',
      'fe80::1%eth0',
      '2606:2800::1%eth0',
      `${PUBLIC}%a.test`,
      'x',
      '',
    ])
      for (const addresses of [[PUBLIC, wrong], [wrong, PUBLIC], [wrong]])
        assert.equal(await of(...addresses), unanswered('refused'), wrong)
    assert.equal(tried, [])
    assert.equal(await of(PUBLIC, '2606:2800:220:1::1'), unanswered('connection'))
    assert.equal(tried, [`${PUBLIC} 443`, '2606:2800:220:1::1 443'])
  }))

it('are missing where the look-up fails', async () => {
  const lookup = async () => Promise.reject(new Error('SERVFAIL'))
  assert.equal(
    await nodeOutgoing({ clock: testClock(), lookup }).post(posted('https://a.test/')),
    unanswered('no-address'),
  )
})

it('are no metadata of a cloud in any spelling, not even in development', async () => {
  const metadata = [
    ...['169.254.169.254', '169.254.170.2', '100.100.100.200', '168.63.129.16', '192.0.0.192', 'fd00:ec2::254'],
    ...['fd20:ce::254', 'fd00:42::42', 'fe80::a9fe:a9fe', 'fe80::1%eth0', '::ffff:169.254.169.254', '::ffff:a9fe:a9fe'],
    ...['::169.254.169.254', '::ffff:0:169.254.169.254', '64:ff9b::a9fe:a9fe', '64:ff9b:1::a9fe:a9fe'],
    ...['2002:a9fe:a9fe::1', '2001:0:a9fe:a9fe::1', '::100.100.100.200', '::168.63.129.16'],
  ]
  for (const address of metadata) {
    assert.not.ok(mayConnect(address, true), address)
    assert.not.ok(mayConnect(address, false), address)
  }
  const urls = [
    'http://169.254.169.254/latest',
    'http://2852039166/',
    'http://[::ffff:169.254.169.254]/',
    'http://[64:ff9b::a9fe:a9fe]:8080/',
  ]
  await internet(async ({ tried }) => {
    for (const url of urls) assert.equal(await inDevelopment().post(posted(url)), unanswered('refused'), url)
    assert.equal(tried, [])
  })
})

it('may be private in development', () => {
  for (const address of ['127.0.0.1', '10.0.0.1', '192.168.1.1', '172.17.0.2', '::1', 'fd12:3456::1', PUBLIC]) {
    assert.ok(mayConnect(address, true), address)
    assert.is(mayConnect(address, false), address === PUBLIC)
  }
})

it('are of https on its ports, and in development of http too, but of no other scheme and no user', () => {
  const always = ['https://example.com/', 'https://example.com:443/', 'https://example.com:8443/']
  const inDevelopment = [
    'http://example.com/',
    'http://example.com:8080/',
    'https://example.com:22/',
    'http://localhost/',
  ]
  const never = [
    'ftp://a.test/',
    'file:///etc/passwd',
    'ws://a.test/',
    'https://u@a.test/',
    'http://:p@a.test/',
    'x',
    '',
    '//a.test/',
  ]
  const isVetted = (allowPrivate: boolean) => (url: string) => vettedUrl(url, allowPrivate) !== undefined
  const all = [...always, ...inDevelopment, ...never]
  assert.equal(all.filter(isVetted(false)), always)
  assert.equal(all.filter(isVetted(true)), [...always, ...inDevelopment])
})

it('are those of the system, if no other look-up is given', async () => {
  const vetted = (allowPrivate: boolean) => vettedAddresses('localhost', { lookup: lookupBySystem, allowPrivate })
  const addresses = await vetted(true)
  assert.ok(typeof addresses === 'object' && addresses.every((address) => ['127.0.0.1', '::1'].includes(address)))
  assert.is(await vetted(false), 'refused')
})

it.run()
