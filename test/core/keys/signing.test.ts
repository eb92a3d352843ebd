import { createPublicKey, verify as verifyOnNode } from 'node:crypto'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeHex } from '../../../core/bytes.ts'
import { keyCurves, type KeyCurve } from '../../../core/keys/curve.ts'
import { publicKeyOf } from '../../../core/keys/public-key.ts'
import { canSign, schemeOf, sign, verify, type SigningScheme } from '../../../core/keys/signing.ts'
import { anyBytes, anyPrivateKey, bytes } from './keys.ts'

const it = suite('signing')

const schemes: readonly SigningScheme[] = ['ecdsa', 'eddsa', 'schnorr', 'taproot']
const pairs = schemes.flatMap((scheme) =>
  keyCurves.filter((curve) => canSign(scheme, curve)).map((curve) => [scheme, curve] as const),
)

const anyMessage = (scheme: SigningScheme): fc.Arbitrary<Uint8Array> =>
  scheme === 'eddsa' ? fc.uint8Array({ minLength: 1, maxLength: 100 }) : anyBytes(32)

/** The hex with one bit of it changed. */
const flipped = (hex: string, at: number): string => {
  const changed = bytes(hex).slice()
  changed[at >> 3] = (changed[at >> 3] ?? 0) ^ (1 << (at & 7))
  return encodeHex(changed)
}

it('has a scheme for five pairs', () => assert.is(pairs.length, 5))

for (const [scheme, curve] of pairs) {
  it(`verifies what it signs, ${scheme} of ${curve}, and nothing else`, () =>
    fc.assert(
      fc.property(anyPrivateKey(curve), anyMessage(scheme), fc.nat(), (privateKey, message, bit) => {
        const publicKey = publicKeyOf(curve, privateKey)
        const signature = sign(scheme, curve, privateKey, message)
        assert.equal(sign(scheme, curve, privateKey, message), signature)
        const isValid = (changes: {
          message?: string
          publicKey?: string
          r?: string
          s?: string
          v?: string
        }): boolean =>
          verify(scheme, curve, changes.publicKey ?? publicKey, bytes(changes.message ?? encodeHex(message)), {
            ...signature,
            ...changes,
          })
        assert.ok(isValid({}))
        assert.not(isValid({ r: flipped(signature.r, bit % 256) }))
        assert.not(isValid({ s: flipped(signature.s, bit % 256) }))
        assert.not(isValid({ v: flipped(signature.v, bit % 8) }))
        assert.not(isValid({ message: flipped(encodeHex(message), bit % (8 * message.length)) }))
        const keyBit = bit % (publicKey.length * 4)
        // The keys of BIP-340 have an x and no sign: the lowest bit of the first byte is not theirs.
        const isSign = keyBit === 0 && (scheme === 'schnorr' || scheme === 'taproot')
        assert.is(isValid({ publicKey: flipped(publicKey, keyBit) }), isSign)
      }),
      { numRuns: 15 },
    ))

  it(`takes one spelling of a signature, ${scheme} of ${curve}`, () => {
    const privateKey = new Uint8Array(32).fill(7)
    const message = new Uint8Array(32).fill(9)
    const { r, s, v } = sign(scheme, curve, privateKey, message)
    const isValid = (parts: { r?: string; s?: string; v?: string }): boolean =>
      verify(scheme, curve, publicKeyOf(curve, privateKey), message, { r, s, v, ...parts })
    assert.ok(isValid({}))
    for (const other of [r.toUpperCase(), `0x${r}`, `00${r}`, r.slice(2), r.slice(1), '', `${r}\n`, 'ff'.repeat(32)])
      assert.not(isValid({ r: other }))
    for (const other of [s.toUpperCase(), `0x${s}`, `00${s}`, s.slice(2), '', '00'.repeat(32), 'ff'.repeat(32)])
      assert.not(isValid({ s: other }))
    for (const other of ['', '0', '1', '1b', '02', '000', v === '00' ? '01' : '00', '0x00'])
      assert.not(isValid({ v: other }))
    for (const key of ['', '00'.repeat(33), `02${'ff'.repeat(32)}`, '04'.repeat(65), '00', 'zz'.repeat(32)])
      assert.not(verify(scheme, curve, key, message, { r, s, v }))
  })
}

it('writes r and s with the zeros before them', () => {
  const lengths = new Set<number>()
  let zeros = 0
  for (let i = 0; i < 300; i += 1) {
    const { r, s } = sign('ecdsa', 'CURVE_SECP256K1', new Uint8Array(32).fill(1), sha256(Uint8Array.of(i, i >> 8)))
    lengths.add(r.length).add(s.length)
    if (r.startsWith('00')) zeros += 1
  }
  assert.equal([...lengths], [64])
  assert.ok(zeros > 0)
})

for (const [curve, ecdsa] of [
  ['CURVE_SECP256K1', secp256k1],
  ['CURVE_P256', p256],
] as const)
  it(`refuses the high s of ${curve}, with either v`, () => {
    const privateKey = new Uint8Array(32).fill(7)
    const message = new Uint8Array(32).fill(9)
    const { r, s } = sign('ecdsa', curve, privateKey, message)
    const high = (ecdsa.Point.Fn.ORDER - BigInt(`0x${s}`)).toString(16).padStart(64, '0')
    const options = { prehash: false, lowS: false }
    assert.ok(ecdsa.verify(bytes(r + high), message, ecdsa.getPublicKey(privateKey), options))
    for (const v of ['00', '01'])
      assert.not(verify('ecdsa', curve, publicKeyOf(curve, privateKey), message, { r, s: high, v }))
  })

it('refuses to sign what does not fit', () => {
  const key = new Uint8Array(32).fill(1)
  for (const length of [0, 31, 33]) {
    for (const [scheme, curve] of pairs)
      if (scheme !== 'eddsa') assert.throws(() => sign(scheme, curve, key, new Uint8Array(length)))
  }
  for (const scheme of schemes)
    for (const curve of keyCurves)
      if (!canSign(scheme, curve)) {
        assert.throws(() => sign(scheme, curve, key, new Uint8Array(32)))
        const parts = { r: '11'.repeat(32), s: '11'.repeat(32), v: '00' }
        assert.not(verify(scheme, curve, publicKeyOf(curve, key), new Uint8Array(32), parts))
      }
  assert.throws(() => sign('ecdsa', 'CURVE_SECP256K1', new Uint8Array(32), new Uint8Array(32)))
})

it('signs as RFC 6979 and RFC 8032 have it', () => {
  // RFC 6979, A.2.5, with SHA-256 and "sample"; its s is high, and ours is the group's order less it
  const p256Key = bytes('c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721')
  const sample = sign('ecdsa', 'CURVE_P256', p256Key, sha256(new TextEncoder().encode('sample')))
  assert.is(sample.r, 'efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716')
  assert.is(sample.s, '0834e36ad29a83bf2bc9385e491d6099c8fdf9d1ed67aa7ea5f51f93782857a9')
  // RFC 8032, 7.1, TEST 2
  const ed25519Key = bytes('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb')
  assert.equal(sign('eddsa', 'CURVE_ED25519', ed25519Key, Uint8Array.of(0x72)), {
    r: '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da',
    s: '085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    v: '00',
  })
})

it('picks the scheme of a curve and an address', () => {
  const cases: readonly (readonly [KeyCurve, string | undefined, SigningScheme])[] = [
    ['CURVE_SECP256K1', undefined, 'ecdsa'],
    ['CURVE_SECP256K1', 'ADDRESS_FORMAT_ETHEREUM', 'ecdsa'],
    ['CURVE_SECP256K1', 'ADDRESS_FORMAT_BITCOIN_MAINNET_P2WPKH', 'ecdsa'],
    ['CURVE_SECP256K1', 'ADDRESS_FORMAT_BITCOIN_MAINNET_P2TR', 'taproot'],
    ['CURVE_SECP256K1', 'ADDRESS_FORMAT_BITCOIN_REGTEST_P2TR', 'taproot'],
    ['CURVE_SECP256K1', 'ADDRESS_FORMAT_SPARK_MAINNET', 'schnorr'],
    ['CURVE_SECP256K1', 'ADDRESS_FORMAT_SPARK_REGTEST', 'schnorr'],
    ['CURVE_P256', 'ADDRESS_FORMAT_COMPRESSED', 'ecdsa'],
    ['CURVE_ED25519', undefined, 'eddsa'],
    ['CURVE_ED25519', 'ADDRESS_FORMAT_SOLANA', 'eddsa'],
  ]
  for (const [curve, format, scheme] of cases) assert.is(schemeOf(curve, format), scheme)
})

it('signs for OpenSSL', () => {
  const privateKey = new Uint8Array(32).fill(5)
  const message = new TextEncoder().encode('message')
  const { r, s } = sign('eddsa', 'CURVE_ED25519', privateKey, message)
  const x = Buffer.from(publicKeyOf('CURVE_ED25519', privateKey), 'hex').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  assert.ok(verifyOnNode(null, message, key, Buffer.from(r + s, 'hex')))
})

it.run()
