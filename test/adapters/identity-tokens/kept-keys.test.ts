import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { asking, DISCOVERY, json, KEYS, keyIn, provider, saying, signerOf } from './provider.ts'

const it = suite('keys of identity tokens that are kept')

const INVALID = 'INVALID_OIDC_TOKEN'
const AWAY = 'UNAVAILABLE'
const ONCE = [DISCOVERY, KEYS]
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

it('are known for a day, and asked for again afterwards', () =>
  provider(async (p) => {
    const [old, young] = [signerOf('a'), signerOf('a')]
    p.keys = [old.jwk]
    const { clock, keyOf } = asking()
    assert.equal(await keyOf(p.token(old)), keyIn(old))
    p.keys = [young.jwk]
    clock.pass(DAY_MS - 1)
    assert.equal(await keyOf(p.token(old)), keyIn(old))
    assert.is(await keyOf(p.token(young)), INVALID)
    assert.equal(p.asked, ONCE)
    clock.pass(1)
    assert.is(await keyOf(p.token(old)), INVALID)
    assert.equal(await keyOf(p.token(young)), keyIn(young))
    assert.equal(p.asked, [...ONCE, ...ONCE])
  }))

it('are over after a day also where the provider is away, and come back with it', () =>
  provider(async (p) => {
    const signer = signerOf('a')
    p.keys = [signer.jwk]
    const { clock, keyOf } = asking()
    assert.equal(await keyOf(p.token(signer)), keyIn(signer))
    p.answers.set(DISCOVERY, saying(503))
    clock.pass(DAY_MS - 1)
    assert.equal(await keyOf(p.token(signer)), keyIn(signer))
    clock.pass(1)
    assert.is(await keyOf(p.token(signer)), AWAY)
    p.answers.clear()
    assert.is(await keyOf(p.token(signer)), AWAY) // asked again a second later
    clock.pass(1_000)
    assert.equal(await keyOf(p.token(signer)), keyIn(signer))
  }))

it('are asked for again because of an unknown one, once a minute', () =>
  provider(async (p) => {
    const [old, young, third] = [signerOf('old'), signerOf('young'), signerOf('third')]
    p.keys = [old.jwk]
    const { clock, keyOf } = asking()
    assert.equal(await keyOf(p.token(old)), keyIn(old))
    p.keys = [young.jwk]
    clock.pass(MINUTE_MS - 1)
    assert.is(await keyOf(p.token(young)), INVALID)
    assert.equal(p.asked, ONCE)
    clock.pass(1)
    assert.equal(await keyOf(p.token(young)), keyIn(young))
    assert.is(await keyOf(p.token(old)), INVALID) // the provider publishes it no more
    for (let n = 0; n < 50; n += 1) assert.is(await keyOf(p.token(signerOf(String(n)))), INVALID)
    assert.equal(p.asked, [...ONCE, ...ONCE])
    p.keys = [young.jwk, third.jwk]
    clock.pass(MINUTE_MS)
    const many = await Promise.all(Array.from({ length: 50 }, () => keyOf(p.token(third))))
    for (const outcome of many) assert.equal(outcome, keyIn(third))
    assert.is(p.asked.length, 6)
  }))

it('are asked for again because of a token that names none, and that none of them has signed', () =>
  provider(async (p) => {
    const [old, young] = [signerOf('a'), signerOf('a')]
    const header = { kid: undefined }
    p.keys = [old.jwk]
    const { clock, keyOf } = asking()
    assert.equal(await keyOf(p.token(old, { header })), keyIn(old))
    p.keys = [young.jwk]
    clock.pass(MINUTE_MS)
    assert.equal(await keyOf(p.token(young, { header })), keyIn(young))
  }))

it('go on while they cannot be asked for again, which is tried once a minute as well', () =>
  provider(async (p) => {
    const [old, young] = [signerOf('old'), signerOf('young')]
    p.keys = [old.jwk]
    const { clock, keyOf } = asking()
    assert.equal(await keyOf(p.token(old)), keyIn(old))
    let asked = p.asked.length
    const failures = [
      [saying(503), AWAY],
      [saying(429), AWAY],
      [saying(404), INVALID],
      [json({ keys: 'none' }), INVALID],
    ] as const
    for (const [answer, code] of failures) {
      p.answers.set(KEYS, answer)
      clock.pass(MINUTE_MS)
      for (let n = 0; n < 10; n += 1) {
        assert.is(await keyOf(p.token(young)), code)
        assert.equal(await keyOf(p.token(old)), keyIn(old))
      }
      asked += 2
      assert.is(p.asked.length, asked)
    }
    p.answers.clear()
    p.keys = [young.jwk]
    clock.pass(MINUTE_MS)
    assert.equal(await keyOf(p.token(young)), keyIn(young))
  }))

it('are asked for again a second later where the provider was away, and a minute later where it is none', () =>
  provider(async (p) => {
    const signer = signerOf('a')
    const { clock, keyOf } = asking()
    p.answers.set(DISCOVERY, saying(500))
    for (let n = 0; n < 5; n += 1) assert.is(await keyOf(p.token(signer)), AWAY)
    assert.is(p.asked.length, 1)
    clock.pass(1_000)
    p.answers.set(DISCOVERY, saying(404))
    for (let n = 0; n < 5; n += 1) assert.is(await keyOf(p.token(signer)), INVALID)
    assert.is(p.asked.length, 2)
    clock.pass(MINUTE_MS - 1)
    assert.is(await keyOf(p.token(signer)), INVALID)
    assert.is(p.asked.length, 2)
    p.answers.clear()
    p.keys = [signer.jwk]
    clock.pass(1)
    assert.equal(await keyOf(p.token(signer)), keyIn(signer))
  }))

it('are not believed where the clock has gone back', () =>
  provider(async (p) => {
    const signer = signerOf('a')
    p.keys = [signer.jwk]
    const { clock, keyOf } = asking()
    assert.equal(await keyOf(p.token(signer)), keyIn(signer))
    clock.set(clock.now() - 1)
    assert.equal(await keyOf(p.token(signer)), keyIn(signer))
    assert.equal(p.asked, [...ONCE, ...ONCE])
  }))

it('are of 1,000 issuers at most', async () => {
  const signer = signerOf('a')
  const asked: string[] = []
  const { keyOf } = asking({
    outgoing: {
      ask: async ({ url }) => {
        asked.push(url)
        const issuer = url.replace(DISCOVERY, '')
        const body = url.endsWith(KEYS) ? { keys: [signer.jwk] } : { issuer, jwks_uri: `${issuer}${KEYS}` }
        return { _tag: 'answered', status: 200, body: Buffer.from(JSON.stringify(body)) }
      },
    },
  })
  const ask = async (n: number): Promise<number> => {
    const before = asked.length
    const claims = { iss: `https://${n}.test`, sub: 's', aud: 'a', exp: 1 }
    assert.equal(await keyOf(signer.token({ alg: 'ES256', kid: 'a' }, claims)), keyIn(signer))
    return asked.length - before
  }
  for (let n = 0; n < 1_000; n += 1) assert.is(await ask(n), 2)
  assert.is(await ask(0), 0)
  assert.is(await ask(1_000), 2)
  assert.is(await ask(0), 0)
  assert.is(await ask(1), 2) // it was the one that nobody had asked for longest
})

it.run()
