import { createHmac, createPublicKey } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeBase64Url, encodeUtf8 } from '../../../core/bytes.ts'
import { readIdentityToken } from '../../../core/identity/identity-token.ts'
import { isSignedByKey } from '../../../core/identity/signed-by-key.ts'
import { algorithmOf, signingKeyOf, type SigningKey } from '../../../core/identity/signing-key.ts'
import { encoded, tokenSigner } from './token-signer.ts'

const it = suite('keys of identity tokens')

const CLAIMS = { iss: 'https://a.test', sub: 's', aud: 'a', exp: 1 }
const KINDS = ['RSA', 'EC', 'OKP'] as const

const keyOf = (jwk: unknown): SigningKey => {
  const key = signingKeyOf(jwk)
  if (key === undefined) throw new Error('no key')
  return key
}

it('sign by the algorithm of their kind, which the header has to name', async () => {
  for (const kty of KINDS) {
    const { jwk, token } = tokenSigner(kty)
    const key = keyOf(jwk)
    for (const alg of ['RS256', 'ES256', 'EdDSA', 'RS384', 'PS256', 'ES384', 'HS256', 'none', 'None', 'rs256', ''])
      assert.is(await isSignedByKey(token({ alg }, CLAIMS), key), alg === algorithmOf(key), `${kty} ${alg}`)
  }
})

it('have signed nothing where the signature is missing, of another key or changed in one bit', async () => {
  for (const kty of KINDS) {
    const { jwk, token } = tokenSigner(kty)
    const key = keyOf(jwk)
    const good = token({ alg: algorithmOf(key) }, CLAIMS)
    assert.ok(await isSignedByKey(good, key))
    assert.not.ok(await isSignedByKey(good, keyOf(tokenSigner(kty).jwk)))
    const [header = '', claims = '', signature = ''] = good.split('.')
    const none = encoded({ alg: 'none' })
    for (const text of [`${none}.${claims}.`, `${none}.${claims}.${signature}`, `${header}.${claims}.`])
      assert.not.ok(await isSignedByKey(text, key), text)
    for (const [place, part] of [header, claims, signature].entries()) {
      const bytes = Buffer.from(part, 'base64url')
      bytes[5] = (bytes[5] ?? 0) ^ 1
      const changed = [header, claims, signature].with(place, bytes.toString('base64url')).join('.')
      assert.not.ok(await isSignedByKey(changed, key), `${kty} part ${place}`)
    }
  }
})

it('are no secrets: what is signed by HMAC with a public key is not signed', async () => {
  const { jwk } = tokenSigner('RSA')
  const key = keyOf(jwk)
  const pem = createPublicKey({ key: jwk, format: 'jwk' })
  const signed = `${encoded({ alg: 'HS256' })}.${encoded(CLAIMS)}`
  for (const secret of [
    pem.export({ type: 'spki', format: 'pem' }),
    pem.export({ type: 'spki', format: 'der' }),
    pem.export({ type: 'pkcs1', format: 'pem' }),
    JSON.stringify(jwk),
    encodeUtf8('n' in key ? key.n : ''),
  ]) {
    const token = `${signed}.${encodeBase64Url(createHmac('sha256', secret).update(signed).digest())}`
    assert.ok(readIdentityToken(token))
    assert.not.ok(await isSignedByKey(token, key))
  }
})

it('are taken without what else is said of them, and only where it is for signing', () => {
  for (const kty of KINDS) {
    const { jwk } = tokenSigner(kty)
    const key = keyOf(jwk)
    assert.equal(Object.keys(key).sort(), kty === 'RSA' ? ['e', 'kty', 'n'] : Object.keys(jwk).sort())
    const alg = algorithmOf(key)
    for (const more of [{ use: 'sig' }, { alg }, { key_ops: ['verify'] }, { kid: 'a', x5c: ['a'], d: 'secret' }])
      assert.equal(signingKeyOf({ ...jwk, ...more }), key, JSON.stringify(more))
    for (const more of [
      { use: 'enc' },
      { use: 7 },
      { alg: 'RSA-OAEP' },
      { alg: 'RS512' },
      { alg: alg.toLowerCase() },
      { key_ops: ['sign'] },
      { key_ops: [] },
      { key_ops: 'verify' },
      { kty: 'oct' },
      { kty: undefined },
    ])
      assert.is(signingKeyOf({ ...jwk, ...more }), undefined, JSON.stringify(more))
  }
  for (const none of [undefined, null, 'key', [], {}, { kty: 'oct', k: 'c2VjcmV0' }])
    assert.is(signingKeyOf(none), undefined)
})

it('of RSA have 2048 to 8192 bits and an odd exponent of more than 1, each number in its shortest spelling', () => {
  const { jwk } = tokenSigner('RSA')
  const bytes = (length: number, first = 0x80) => Buffer.alloc(length, 0xa5).fill(first, 0, 1).toString('base64url')
  const isTaken = (more: object) => signingKeyOf({ ...jwk, ...more }) !== undefined
  for (const n of [bytes(256), bytes(1_024)]) assert.ok(isTaken({ n }))
  const long = bytes(1_025, 1)
  for (const n of ['', '!', bytes(255), bytes(256, 0x7f), bytes(257, 0), long, bytes(2_000), `${bytes(256)}==`])
    assert.not.ok(isTaken({ n }), n.slice(0, 20))
  for (const e of ['Aw', 'AQAB']) assert.ok(isTaken({ e }))
  for (const e of ['AQ', 'AA', 'Ag', '', 'AAEAAQ', 'AQAA', bytes(9, 1)]) assert.not.ok(isTaken({ e }), e)
})

it('of elliptic curves are points of theirs', async () => {
  const { jwk, token } = tokenSigner('EC')
  const wrong = keyOf({ ...jwk, y: 'x' in jwk ? jwk.x : '' })
  assert.not.ok(await isSignedByKey(token({ alg: 'ES256' }, CLAIMS), wrong))
  for (const crv of ['P-384', 'secp256k1', 'Ed25519', '']) assert.is(signingKeyOf({ ...jwk, crv }), undefined, crv)
  for (const x of ['', 'AA', 'A'.repeat(44), 7]) assert.is(signingKeyOf({ ...jwk, x }), undefined)
})

it.run()
