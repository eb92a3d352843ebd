import { sha256 } from '@noble/hashes/sha2.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decodeHex, encodeHex, encodeUtf8 } from '../../../core/bytes.ts'
import { holdsAt, isBoundTo, readIdentityToken } from '../../../core/identity/identity-token.ts'
import { encoded, type Part } from './token-signer.ts'

const it = suite('identity tokens')

const HEADER = { alg: 'RS256', kid: 'one' }
const CLAIMS = { iss: 'https://accounts.example.com', sub: '108', aud: 'client', exp: 1_000, iat: 900, nonce: 'n' }
const SIGNATURE = 'c2lnbmF0dXJl'

const tokenOf = (claims: Part = CLAIMS, header: Part = HEADER): string =>
  `${encoded(header)}.${encoded(claims)}.${SIGNATURE}`
const read = (claims?: Part, header?: Part) => readIdentityToken(tokenOf(claims, header))
const without = (member: keyof typeof CLAIMS): object => ({ ...CLAIMS, [member]: undefined })

it('say who somebody is, until when, and to what they are bound', () => {
  const claims = { ...CLAIMS, aud: ['client'], nbf: 950, tknonce: 't', email: 'ada@example.com', email_verified: true }
  assert.equal(read(claims), {
    issuer: 'https://accounts.example.com',
    audience: 'client',
    subject: '108',
    keyId: 'one',
    expiresAtMs: 1_000_000,
    fromMs: 950_000,
    nonces: ['n', 't'],
    verifiedEmail: 'ada@example.com',
  })
  const least = read({ iss: 'i', sub: 's', aud: 'a', exp: 1 }, { alg: 'ES256' })
  assert.equal(least, {
    ...{ issuer: 'i', audience: 'a', subject: 's', keyId: undefined, expiresAtMs: 1_000, fromMs: -Infinity },
    ...{ nonces: [], verifiedEmail: undefined },
  })
})

it('are none without issuer, subject, one audience and an end', () => {
  for (const member of ['iss', 'sub', 'aud', 'exp'] as const) assert.is(read(without(member)), undefined, member)
  for (const aud of [[], ['a', 'b'], ['a', 'a'], [''], '', 7, [7], { 0: 'a' }, null])
    assert.is(read({ ...CLAIMS, aud }), undefined, JSON.stringify(aud))
  for (const iss of ['', 7, null, ['https://accounts.example.com'], 'a'.repeat(2_049)])
    assert.is(read({ ...CLAIMS, iss }), undefined, JSON.stringify(iss).slice(0, 40))
  for (const sub of ['', 7, null, 'a'.repeat(2_049)])
    assert.is(read({ ...CLAIMS, sub }), undefined, JSON.stringify(sub).slice(0, 40))
  for (const exp of ['1000', null, true, [1]]) assert.is(read({ ...CLAIMS, exp }), undefined, JSON.stringify(exp))
  for (const member of ['iat', 'nbf', 'nonce', 'tknonce'])
    assert.is(read({ ...CLAIMS, [member]: {} }), undefined, member)
})

it('name their issuer to the byte', () => {
  for (const iss of ['https://a.test', 'https://a.test/', 'https://A.test', 'HTTPS://a.test', 'https://a.test:443'])
    assert.is(read({ ...CLAIMS, iss })?.issuer, iss)
})

it('are none where their header brings or names a key, or asks for more than is known', () => {
  assert.ok(read(CLAIMS, { ...HEADER, typ: 'JWT', x5t: 'a', unknown: 1 }))
  for (const member of ['jwk', 'jku', 'x5u', 'x5c', 'crit', 'b64'])
    for (const value of [{}, 'https://a.test/', [], null, true])
      assert.is(read(CLAIMS, { ...HEADER, [member]: value }), undefined, member)
  assert.is(read(CLAIMS, { kid: 'one' }), undefined)
  for (const alg of [null, 7, ['RS256']]) assert.is(read(CLAIMS, { alg }), undefined)
  for (const kid of [7, ['one'], {}]) assert.is(read(CLAIMS, { alg: 'RS256', kid }), undefined)
})

it('have one spelling: three parts in base64url, without padding or any other character', () => {
  const good = tokenOf()
  assert.ok(readIdentityToken(good))
  const [header = '', claims = ''] = good.split('.')
  for (const text of [
    '',
    '..',
    header,
    `${header}.${claims}`,
    `${good}.`,
    `${good}.a`,
    `${good}=`,
    `${good}\n`,
    ` ${good}`,
    `Bearer ${good}`,
    `${header}=.${claims}.${SIGNATURE}`,
    `${header}.${claims}==.${SIGNATURE}`,
    `${header} .${claims}.${SIGNATURE}`,
    `${header}.${claims}.c2lnbmF0dXJ/`,
    `${header}.${claims}.c2lnbmF0dXJ+`,
    `${header}.${claims}.YR`, // the last character has bits that no byte has: YQ is the same byte
    `${header}..${SIGNATURE}`,
    `.${claims}.${SIGNATURE}`,
    good.replaceAll('.', ' '),
  ])
    assert.is(readIdentityToken(text), undefined, JSON.stringify(text))
  assert.ok(readIdentityToken(`${header}.${claims}.YQ`))
  assert.is(tokenOf({ ...CLAIMS, more: 'a'.repeat(16_384) }).length > 16_384, true)
  assert.is(read({ ...CLAIMS, more: 'a'.repeat(16_384) }), undefined)
})

it('are none where two parsers could read two things', () => {
  const claims = JSON.stringify(CLAIMS)
  assert.ok(read(claims))
  for (const text of [
    claims.replace('{', '{"sub":"1",'),
    claims.replace('{', '{"s\\u0075b":"1",'),
    claims.replace('}', ',"__proto__":{}}'),
    claims.replace('108', '\\ud800'),
    `\ufeff${claims}`,
    `${claims}${claims}`,
    claims.replace('}', ',}'),
    claims.replace('1000', '1e999'),
    `[${claims}]`,
    '"text"',
    'null',
  ])
    assert.is(read(text), undefined, text)
  assert.is(read(CLAIMS, '{"alg":"RS256","alg":"none"}'), undefined)
})

it('hold from the later of issue and beginning to their end, give or take 60 s', () => {
  const at = (claims: object, atMs: number): boolean => {
    const token = read({ ...CLAIMS, ...claims })
    return token !== undefined && holdsAt(token, atMs)
  }
  assert.ok(at({}, 900_000 - 60_000))
  assert.not.ok(at({}, 900_000 - 60_001))
  assert.ok(at({}, 1_000_000 + 59_999))
  assert.not.ok(at({}, 1_000_000 + 60_000))
  assert.not.ok(at({ nbf: 950 }, 950_000 - 60_001))
  assert.ok(at({ nbf: 800 }, 900_000 - 60_000))
  assert.not.ok(at({ nbf: 800 }, 900_000 - 60_001))
  assert.ok(at({ iat: undefined }, 0))
  assert.not.ok(at({ exp: -1e300 }, 0))
})

it('are bound to the text of a key, as it was sent, and not to its bytes', () => {
  const key = '0394e549c71fa99dd5cf752fba623090be314949b74e4cdf7ca72031dd638e281a'
  const nonce = '1663bba492a323085b13895634a3618792c4ec6896f3c34ef3c26396df22ef82'
  const ofBytes = encodeHex(sha256(decodeHex(key) ?? encodeUtf8('')))
  const isBound = (claims: object, publicKey = key): boolean => {
    const token = read({ ...CLAIMS, nonce: undefined, ...claims })
    return token !== undefined && isBoundTo(token, publicKey)
  }
  assert.ok(isBound({ nonce }))
  assert.ok(isBound({ tknonce: nonce }))
  assert.ok(isBound({ nonce: 'another', tknonce: nonce }))
  for (const claims of [{}, { nonce: ofBytes }, { nonce: nonce.toUpperCase() }, { nonce: key }, { nonce: '' }])
    assert.not.ok(isBound(claims), JSON.stringify(claims))
  for (const other of [key.toUpperCase(), `0x${key}`, `${key} `, key.slice(2)]) assert.not.ok(isBound({ nonce }, other))
})

it('give an e-mail address only where the provider says that it is verified', () => {
  const email = 'ada@example.com'
  assert.is(read({ ...CLAIMS, email, email_verified: true })?.verifiedEmail, email)
  for (const verified of ['true', 1, false, null, undefined])
    assert.is(read({ ...CLAIMS, email, email_verified: verified })?.verifiedEmail, undefined)
  assert.is(read({ ...CLAIMS, email_verified: true })?.verifiedEmail, undefined)
})

it.run()
