import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { lookupByDns } from '../../../adapters/outgoing/vetted-addresses.ts'
import { certificateOf } from '../../certificate-of.ts'
import { until } from '../../until.ts'
import { vectorFile } from '../../vectors.ts'
import { internet, listening } from '../outgoing/internet.ts'
import { nameServer } from '../outgoing/name-server.ts'
import { asking, claimsOf, DISCOVERY, json, KEYS, keyIn, provider, saying, signerOf } from './provider.ts'

const it = suite('bad providers of identity tokens')

const INVALID = 'INVALID_OIDC_TOKEN'
const AWAY = 'UNAVAILABLE'
const PUBLIC = '93.184.215.14'
const MINUTE_MS = 60_000

const text =
  (body: string) =>
  (_: unknown, response: ServerResponse): void =>
    void response.end(body)

it('are told from those that are away', () =>
  provider(async (p) => {
    const signer = signerOf('a')
    p.keys = [signer.jwk]
    const good = { issuer: p.issuer, jwks_uri: `${p.issuer}${KEYS}` }
    const cases = [
      [saying(500), AWAY],
      [saying(503, { 'Retry-After': '1' }), AWAY],
      [saying(429), AWAY],
      [(_: unknown, response: ServerResponse) => void response.destroy(), AWAY],
      [saying(301, { Location: '/elsewhere' }), INVALID],
      [saying(307, { Location: '/elsewhere' }), INVALID],
      [saying(204), INVALID],
      [saying(400), INVALID],
      [saying(401), INVALID],
      [saying(404), INVALID],
      [json(good, 201), INVALID],
      [text(''), INVALID],
      [text('<html></html>'), INVALID],
      [text('null'), INVALID],
      [text(JSON.stringify(good).replace('{', '{"issuer":"https://a.test",')), INVALID],
      [text(`\ufeff${JSON.stringify(good)}`), INVALID],
      [text('['.repeat(60_000)), INVALID],
    ] as const
    for (const [index, [answer, code]] of cases.entries())
      for (const path of [DISCOVERY, KEYS]) {
        p.answers.clear()
        p.answers.set(path, answer)
        assert.is(await asking().keyOf(p.token(signer)), code, `${index} ${path}`)
      }
    assert.not.ok(p.asked.includes('/elsewhere'))
    for (const wrong of [{}, [], { ...good, issuer: 7 }, { issuer: p.issuer }, { ...good, jwks_uri: 7 }]) {
      p.answers.set(DISCOVERY, json(wrong))
      assert.is(await asking().keyOf(p.token(signer)), INVALID)
    }
    p.answers.clear()
    for (const wrong of [{}, [], { keys: {} }, { keys: null }, { keys: [] }, { keys: [7, null, {}] }]) {
      p.answers.set(KEYS, json(wrong))
      assert.is(await asking().keyOf(p.token(signer)), INVALID)
    }
    p.answers.clear()
    assert.equal(await asking().keyOf(p.token(signer)), keyIn(signer))
  }))

it('send 64 KiB and no more, though they have 100 MB', () =>
  provider((p) =>
    internet(async ({ sockets }) => {
      const signer = signerOf('a')
      const padded = (length: number) => {
        const body = JSON.stringify({ keys: [signer.jwk] })
        return text(body.padEnd(length))
      }
      p.answers.set(KEYS, padded(65_536))
      assert.equal(await asking().keyOf(p.token(signer)), keyIn(signer))
      p.answers.set(KEYS, padded(65_537))
      assert.is(await asking().keyOf(p.token(signer)), INVALID)
      const chunk = Buffer.alloc(16_384, ' ')
      const endless = (_: unknown, response: ServerResponse): void => {
        const go = (): void => void (response.writable && response.write(chunk, go))
        response.writeHead(200, { 'Content-Length': '100000000' })
        go()
      }
      for (const path of [DISCOVERY, KEYS]) {
        p.answers.clear()
        p.answers.set(path, endless)
        assert.is(await asking().keyOf(p.token(signer)), INVALID, path)
        assert.ok((sockets.at(-1)?.bytesRead ?? Infinity) < 300_000)
      }
    }),
  ))

it('are away where they trickle for longer than 5 s', () =>
  provider((p) =>
    internet(async ({ sockets }) => {
      const signer = signerOf('a')
      for (const path of [DISCOVERY, KEYS]) {
        const { clock, keyOf } = asking()
        const far: ServerResponse[] = []
        p.answers.clear()
        p.answers.set(path, (_, response) => void far.push(response))
        const outcome = keyOf(p.token(signer))
        const response = await until(() => far[0])
        for (let n = 1; n <= 10; n += 1) {
          const { bytesRead = 0 } = sockets.at(-1) ?? {}
          response.write(' ')
          await until(() => (sockets.at(-1)?.bytesRead ?? 0) > bytesRead)
          clock.pass(499)
        }
        assert.is(sockets.at(-1)?.destroyed, false)
        clock.pass(10)
        assert.is(await outcome, AWAY, path)
        assert.is(sockets.at(-1)?.destroyed, true)
      }
    }),
  ))

it('are away where their host is unknown, nobody is there, or somebody else is by the certificate', async () => {
  const { token } = signerOf('a')
  const signed = token({ alg: 'ES256' }, claimsOf('https://a.test'))
  const asked = (lookup: () => Promise<string[]>, ca?: string) =>
    asking({ allowPrivateNetwork: false, lookup, ...(ca !== undefined && { ca }) }).keyOf(signed)
  await internet(async ({ lead }) => {
    assert.is(await asked(async () => []), AWAY)
    assert.is(await asked(async () => [PUBLIC]), AWAY)
    const made = certificateOf(['b.test'])
    await listening(createServer(made), async ({ port }) => {
      lead(`${PUBLIC} 443`, { port })
      assert.is(await asked(async () => [PUBLIC], made.cert), AWAY)
    })
  })
})

it('are never asked at an address that is not public, wherever it stands', async () => {
  type Cases = { readonly mustReject: readonly { readonly url: string }[] }
  const cases = vectorFile<Cases>('ssrf-own', 'webhook-url-cases.json')?.mustReject.map(({ url }) => url) ?? []
  const urls = [...cases, 'https://[::127.0.0.1]/', 'http://a.test/', 'https://a.test:22/', 'https://u@a.test/']
  const signer = signerOf('a')
  const made = certificateOf(['good.test'])
  let jwksUri = ''
  const answering = createServer(made, (_, response) =>
    response.end(JSON.stringify({ issuer: 'https://good.test', jwks_uri: jwksUri })),
  )
  await internet(({ lead, tried }) =>
    listening(answering, async ({ port }) => {
      lead(`${PUBLIC} 443`, { port })
      const lookup = async (host: string) => [host === 'good.test' ? PUBLIC : '127.0.0.1']
      const tokenFrom = (iss: string) => signer.token({ alg: 'ES256' }, claimsOf(iss))
      const { clock, keyOf } = asking({ allowPrivateNetwork: false, lookup, ca: made.cert })
      for (const iss of urls) assert.is(await keyOf(tokenFrom(iss)), INVALID, iss)
      assert.equal(tried, [])
      for (jwksUri of urls) {
        clock.pass(MINUTE_MS)
        assert.is(await keyOf(tokenFrom('https://good.test')), INVALID, jwksUri)
      }
      assert.equal(tried, Array(urls.length).fill(`${PUBLIC} 443`))
    }),
  )
})

it('are asked once more nowhere else where they turn private after the vetting', () => {
  const made = certificateOf(['turning.test'])
  const signer = signerOf('a')
  const issuer = 'https://turning.test'
  let isPublic = true
  const addressesOf = (_: string, family: 4 | 6) => {
    if (family === 6) return []
    return [isPublic ? PUBLIC : '127.0.0.1']
  }
  const server = createServer(made, ({ url }, response) => {
    isPublic = false // the name has been looked up, and this is the connection that follows from it
    const body = url === KEYS ? { keys: [signer.jwk] } : { issuer, jwks_uri: `${issuer}${KEYS}` }
    response.end(JSON.stringify(body))
  })
  return internet(({ lead, tried }) =>
    nameServer(addressesOf, (place) =>
      listening(server, async ({ port, connections }) => {
        lead(`${PUBLIC} 443`, { port })
        const { clock, keyOf } = asking({
          allowPrivateNetwork: false,
          lookup: lookupByDns([place]),
          ca: made.cert,
        })
        const token = signer.token({ alg: 'ES256', kid: 'a' }, claimsOf(issuer))
        assert.is(await keyOf(token), INVALID)
        assert.equal(tried, [`${PUBLIC} 443`])
        isPublic = true
        clock.pass(MINUTE_MS)
        assert.is(await keyOf(token), INVALID)
        assert.equal(tried, [`${PUBLIC} 443`, `${PUBLIC} 443`])
        assert.is(connections.length, 2)
      }),
    ),
  )
})

it.run()
