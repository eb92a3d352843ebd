import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isWaiting } from '../../core/world/under-way.ts'
import { until } from '../../until.ts'
import { asking, claimsOf, DISCOVERY, json, KEYS, keyIn, provider, saying, signerOf } from './provider.ts'

const it = suite('the keys of identity tokens')

const INVALID = 'INVALID_OIDC_TOKEN'
const ONCE = [DISCOVERY, KEYS]

it('are found where the issuer publishes them, of each kind', () =>
  provider(async (p) => {
    const signers = [signerOf('r', 'RSA', { use: 'sig' }), signerOf('e', 'EC'), signerOf('o', 'OKP')]
    p.keys = [{ kty: 'oct', k: 'c2VjcmV0' }, 'no key', null, ...signers.map(({ jwk }) => jwk)]
    const { keyOf } = asking()
    for (const signer of signers) assert.equal(await keyOf(p.token(signer)), keyIn(signer))
    assert.equal(p.asked, ONCE)
  }))

it('are those of the id that the token names, or any, if it names none', () =>
  provider(async (p) => {
    const [one, two, other] = [signerOf('one'), signerOf('two'), signerOf('three')]
    p.keys = [one.jwk, two.jwk, { ...other.jwk, kid: 'two' }]
    const { keyOf } = asking()
    assert.is(await keyOf(p.token(one, { header: { kid: 'two' } })), INVALID)
    assert.equal(await keyOf(p.token(two, { header: { kid: undefined } })), keyIn(two))
    assert.equal(await keyOf(p.token(other, { header: { kid: 'two' } })), keyIn(other))
    assert.is(await keyOf(p.token(signerOf('four'), { header: { kid: undefined } })), INVALID)
    assert.equal(p.asked, ONCE)
  }))

it('are 32 at most', () =>
  provider(async (p) => {
    const signers = Array.from({ length: 33 }, (_, n) => signerOf(String(n)))
    p.keys = signers.map(({ jwk }) => jwk)
    const { keyOf } = asking()
    const outcomes = await Promise.all(signers.map((signer) => keyOf(p.token(signer))))
    assert.equal(
      outcomes.map((outcome) => outcome === INVALID),
      signers.map((_, n) => n === 32),
    )
  }))

it('sign by their own algorithm and for signatures alone', () =>
  provider(async (p) => {
    const [rsa, enc, other] = [
      signerOf('rsa', 'RSA'),
      signerOf('enc', 'RSA', { use: 'enc' }),
      signerOf('other', 'RSA', { alg: 'PS256' }),
    ]
    p.keys = [rsa.jwk, enc.jwk, other.jwk]
    const { keyOf } = asking()
    assert.equal(await keyOf(p.token(rsa)), keyIn(rsa))
    for (const alg of ['none', 'HS256', 'RS384', 'ES256'])
      assert.is(await keyOf(p.token(rsa, { header: { alg } })), INVALID, alg)
    for (const signer of [enc, other]) assert.is(await keyOf(p.token(signer)), INVALID)
  }))

it('are looked for nowhere but at the issuer: no header says where they are', () =>
  provider(async (p) => {
    const { jwk, token } = signerOf('a')
    const { keyOf } = asking()
    for (const more of [{ jku: `${p.issuer}/mine` }, { x5u: `${p.issuer}/mine` }, { jwk }, { crit: ['exp'] }])
      assert.is(await keyOf(token({ alg: 'ES256', ...more }, claimsOf(p.issuer))), INVALID)
    for (const text of ['', 'a.b.c', 'token']) assert.is(await keyOf(text), INVALID)
    assert.equal(p.asked, [])
  }))

it('are those of an issuer that calls itself so, to the byte', () =>
  provider(async (p) => {
    const signer = signerOf('a')
    p.keys = [signer.jwk]
    const { keyOf } = asking()
    const upper = p.issuer.replace('localhost', 'LOCALHOST')
    for (const iss of [`${p.issuer}/`, upper, p.issuer.toUpperCase(), `${p.issuer}/.`, `${p.issuer}//`])
      assert.is(await keyOf(p.token(signer, { claims: { iss } })), INVALID, iss)
    for (const iss of [
      `${p.issuer}?a`,
      `${p.issuer}#a`,
      'localhost',
      'accounts.google.com',
      'file:///etc/passwd',
      'a:b',
    ])
      assert.is(await keyOf(p.token(signer, { claims: { iss } })), INVALID, iss)
    assert.equal(await keyOf(p.token(signer)), keyIn(signer))
    assert.equal(p.asked.slice(0, 3), [DISCOVERY, DISCOVERY, DISCOVERY])
  }))

it('may be at an issuer whose name has a path, and a slash at its end, and its keys at another host', () =>
  provider((elsewhere) =>
    provider(async (p) => {
      const signer = signerOf('a')
      elsewhere.keys = [signer.jwk]
      for (const path of ['/realms/one', '/realms/two/']) {
        const iss = `${p.issuer}${path}`
        p.answers.set(
          `${path.replace(/\/$/, '')}${DISCOVERY}`,
          json({ issuer: iss, jwks_uri: `${elsewhere.issuer}${KEYS}` }),
        )
        assert.equal(await asking().keyOf(p.token(signer, { claims: { iss } })), keyIn(signer), path)
      }
      assert.equal(p.asked, [`/realms/one${DISCOVERY}`, `/realms/two${DISCOVERY}`])
      assert.equal(elsewhere.asked, [KEYS, KEYS])
    }),
  ))

it('of another issuer are no keys, though it is the same person there', () =>
  provider((mallory) =>
    provider(async (p) => {
      const [good, bad] = [signerOf('a'), signerOf('a')]
      p.keys = [good.jwk]
      mallory.keys = [bad.jwk]
      const { keyOf } = asking()
      assert.equal(await keyOf(mallory.token(bad)), keyIn(bad))
      assert.equal(await keyOf(p.token(good)), keyIn(good))
      assert.is(await keyOf(mallory.token(bad, { claims: { iss: p.issuer } })), INVALID)
      mallory.answers.set(DISCOVERY, json({ issuer: p.issuer, jwks_uri: `${mallory.issuer}${KEYS}` }))
      assert.is(await asking().keyOf(mallory.token(bad)), INVALID)
    }),
  ))

it('are of the issuers that are allowed, if some are', () =>
  provider((other) =>
    provider(async (p) => {
      const signer = signerOf('a')
      for (const each of [p, other]) each.keys = [signer.jwk]
      const { keyOf } = asking({ issuers: ['https://accounts.example.com', p.issuer] })
      assert.equal(await keyOf(p.token(signer)), keyIn(signer))
      assert.is(await keyOf(other.token(signer)), INVALID)
      assert.is(await keyOf(p.token(signer, { claims: { iss: `${p.issuer}/` } })), INVALID)
      assert.equal([p.asked, other.asked], [ONCE, []])
    }),
  ))

it('are asked for once, however many tokens wait', () =>
  provider(async (p) => {
    const signer = signerOf('a')
    p.keys = [signer.jwk]
    const { keyOf } = asking()
    const many = await Promise.all(Array.from({ length: 200 }, () => keyOf(p.token(signer))))
    for (const outcome of many) assert.equal(outcome, keyIn(signer))
    assert.equal(p.asked, ONCE)
  }))

it('are waited for by others where one gives up', () =>
  provider(async (p) => {
    const signer = signerOf('a')
    p.keys = [signer.jwk]
    const waiting: (() => void)[] = []
    p.answers.set(KEYS, (...args) => void waiting.push(() => json({ keys: p.keys })(...args)))
    const { keyOf } = asking()
    const stopping = new AbortController()
    const outcomes = [keyOf(p.token(signer), stopping.signal), keyOf(p.token(signer))]
    await until(() => waiting.length === 1)
    stopping.abort()
    assert.is(await outcomes[0], 'UNAVAILABLE')
    assert.ok(await isWaiting(outcomes[1] ?? Promise.resolve()))
    for (const answer of waiting) answer()
    assert.equal(await outcomes[1], keyIn(signer))
    assert.is(await asking().keyOf(p.token(signer), AbortSignal.abort()), 'UNAVAILABLE')
  }))

it('are asked for at 16 new issuers at once, and then at no more, while those of known ones are still', async () => {
  const signer = signerOf('a')
  const waiting: (() => void)[] = []
  let hangs = false
  const { clock, keyOf } = asking({
    outgoing: {
      ask: async ({ url }) => {
        if (hangs && !url.includes('known')) await new Promise<void>((resolve) => waiting.push(resolve))
        const issuer = url.replace(DISCOVERY, '')
        const body = url.endsWith(KEYS) ? { keys: [signer.jwk] } : { issuer, jwks_uri: `${issuer}${KEYS}` }
        return { _tag: 'answered', status: 200, body: Buffer.from(JSON.stringify(body)) }
      },
    },
  })
  const ask = (name: string) => keyOf(signer.token({ alg: 'ES256', kid: 'a' }, claimsOf(`https://${name}.test`)))
  assert.equal(await ask('known'), keyIn(signer))
  clock.pass(24 * 60 * 60_000)
  hangs = true
  const hanging = Array.from({ length: 16 }, (_, n) => ask(`hangs-${n}`))
  assert.is(await ask('hangs-16'), 'RATE_LIMIT_EXCEEDED')
  assert.equal(await ask('known'), keyIn(signer))
  hangs = false
  await until(() => waiting.length === 16)
  for (const answer of waiting) answer()
  for (const outcome of await Promise.all(hanging)) assert.equal(outcome, keyIn(signer))
  assert.equal(await ask('hangs-16'), keyIn(signer))
})

it('tell no host in a failure, and nothing of why', () =>
  provider(async (p) => {
    const signer = signerOf('a')
    p.answers.set(KEYS, saying(503))
    assert.is(await asking().keyOf(p.token(signer)), 'UNAVAILABLE')
    const messages = new Set<string>()
    for (const status of [200, 302, 404, 500]) {
      p.answers.set(DISCOVERY, saying(status, { Location: '/secret' }))
      const { identityTokens } = await import('../../../adapters/identity-tokens/index.ts')
      const outcome = await identityTokens({ allowPrivateNetwork: true }).keyOf(p.token(signer))()
      if (outcome._tag === 'Left') messages.add(JSON.stringify(outcome.left))
    }
    assert.equal([...messages].sort(), [
      '{"code":"INVALID_OIDC_TOKEN","message":"invalid OIDC token"}',
      '{"code":"UNAVAILABLE","message":"an identity provider does not answer; try again"}',
    ])
  }))

it.run()
