import { ED25519_TORSION_SUBGROUP } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { canonicalPublicKey, isPublicKey } from '../../../core/stamp/public-key.ts'

const it = suite('public key')

const P256 = 'API_KEY_CURVE_P256'
const SECP256K1 = 'API_KEY_CURVE_SECP256K1'
const ED25519 = 'API_KEY_CURVE_ED25519'

const compressed = '0327a50032e6f0631d5605b6ada32b779074f346e81b68e12801640f1c9ee03dae'
const uncompressed = p256.Point.fromHex(compressed).toHex(false)
const secp256k1Key = '038318535b54105d4a7aae60c08fc45f9687181b4fdfc625bd1a753fa7397fed75'
const ed25519Key = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a' // RFC 8032, section 7.1, test 1

it('spells a key in lower case', () => assert.is(canonicalPublicKey(P256, compressed.toUpperCase()), compressed))

it('compresses an uncompressed key', () => assert.is(canonicalPublicKey(P256, uncompressed), compressed))

it('takes an ed25519 key of 32 bytes', () => assert.is(canonicalPublicKey(ED25519, ed25519Key), ed25519Key))

for (const [curve, hex, why] of [
  [P256, '', 'nothing'],
  [P256, compressed.slice(1), 'an odd number of digits'],
  [P256, `0x${compressed}`, 'a prefix'],
  [P256, `${compressed}00`, 'a byte behind the end'],
  [P256, compressed.slice(2), 'a key without its first byte'],
  [P256, `05${compressed.slice(2)}`, 'a first byte that no key has'],
  [P256, `00${compressed.slice(2)}`, 'a point at infinity'],
  [P256, `06${uncompressed.slice(2)}`, 'a hybrid point'],
  [
    P256,
    `${uncompressed.slice(0, -2)}${uncompressed.endsWith('00') ? '02' : '00'}`,
    'an uncompressed point off the curve',
  ],
  [SECP256K1, uncompressed, 'an uncompressed point of another curve'],
  [ED25519, compressed, 'a key of another curve for ed25519'],
  [P256, ed25519Key, 'an ed25519 key for another curve'],
] as const)
  it(`refuses ${why} by its form`, () => {
    assert.is(canonicalPublicKey(curve, hex), undefined)
    assert.is(isPublicKey(curve, hex), false)
  })

it('knows points on each curve', () => {
  assert.ok(isPublicKey(P256, compressed))
  assert.ok(isPublicKey(SECP256K1, secp256k1Key))
  assert.ok(isPublicKey(ED25519, ed25519Key))
})

it('refuses keys that are not spelled canonically', () => {
  assert.not.ok(isPublicKey(P256, compressed.toUpperCase()))
  assert.not.ok(isPublicKey(P256, uncompressed))
})

it('refuses an x that is on no point', () => {
  assert.not.ok(isPublicKey(P256, `02${'00'.repeat(31)}01`))
  assert.not.ok(isPublicKey(SECP256K1, `02${'00'.repeat(31)}05`))
})

it('refuses an x that is not reduced', () => {
  assert.not.ok(isPublicKey(P256, `02${'ff'.repeat(32)}`))
  assert.not.ok(isPublicKey(SECP256K1, `02${'ff'.repeat(32)}`))
})

it('refuses an ed25519 key that is on no point', () => assert.not.ok(isPublicKey(ED25519, `02${'00'.repeat(31)}`)))

for (const hex of ED25519_TORSION_SUBGROUP)
  it(`refuses the ed25519 point ${hex.slice(0, 4)}…${hex.slice(-2)} of small order`, () =>
    assert.not.ok(isPublicKey(ED25519, hex)))

for (const [hex, why] of [
  [`ed${'ff'.repeat(30)}7f`, 'y = p'],
  [`ed${'ff'.repeat(30)}ff`, 'y = p with a sign'],
  [`ee${'ff'.repeat(30)}7f`, 'y = p + 1'],
  [`ee${'ff'.repeat(30)}ff`, 'y = p + 1 with a sign'],
  [`f0${'ff'.repeat(30)}7f`, 'y = p + 3, whose point is of large order'],
  [`ff${'ff'.repeat(30)}7f`, 'y = 2^255 - 1'],
  [`01${'00'.repeat(30)}80`, 'x = 0 with a sign'],
  [`ec${'ff'.repeat(30)}ff`, 'x = 0 with a sign, y = -1'],
] as const)
  it(`refuses an ed25519 key whose encoding is not canonical: ${why}`, () => assert.not.ok(isPublicKey(ED25519, hex)))

it.run()
