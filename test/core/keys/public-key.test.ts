import { createECDH } from 'node:crypto'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decodeHex, encodeHex } from '../../../core/bytes.ts'
import { keyCurves } from '../../../core/keys/curve.ts'
import {
  isPrivateKey,
  isPublicKey,
  newPrivateKey,
  publicKeyOf,
  randomBytesOf,
  uncompressed,
} from '../../../core/keys/public-key.ts'
import { anyPrivateKey, bytes } from './keys.ts'

const it = suite('public key')

const orders = {
  CURVE_SECP256K1: 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141',
  CURVE_P256: 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551',
} as const
const onNode = { CURVE_SECP256K1: 'secp256k1', CURVE_P256: 'prime256v1' } as const
const withOrders = ['CURVE_SECP256K1', 'CURVE_P256'] as const

for (const curve of withOrders) {
  it(`computes the keys of ${curve} that OpenSSL computes`, () =>
    fc.assert(
      fc.property(anyPrivateKey(curve), (privateKey) => {
        const other = createECDH(onNode[curve])
        other.setPrivateKey(privateKey)
        assert.is(publicKeyOf(curve, privateKey), other.getPublicKey('hex', 'compressed'))
        assert.is(uncompressed(curve, publicKeyOf(curve, privateKey)), other.getPublicKey('hex', 'uncompressed'))
      }),
      { numRuns: 20 },
    ))

  it(`takes numbers below the order of ${curve} as private keys, without 0`, () => {
    const less = orders[curve].replace(/1$/, '0')
    assert.ok(isPrivateKey(curve, bytes(less)))
    assert.not(isPrivateKey(curve, bytes(orders[curve])))
    assert.not(isPrivateKey(curve, bytes('ff'.repeat(32))))
    assert.not(isPrivateKey(curve, new Uint8Array(32)))
    assert.throws(() => publicKeyOf(curve, new Uint8Array(32)))
  })

  it(`makes a private key of ${curve} of any random bytes`, () => {
    assert.is(encodeHex(newPrivateKey(curve, new Uint8Array(48))), `${'00'.repeat(31)}01`)
    for (const byte of [0x7f, 0xff]) assert.ok(isPrivateKey(curve, newPrivateKey(curve, new Uint8Array(48).fill(byte))))
    const random = (BigInt(`0x${orders[curve]}`) + 6n).toString(16).padStart(96, '0')
    assert.is(encodeHex(newPrivateKey(curve, bytes(random))), `${'00'.repeat(31)}08`)
  })

  it(`tells keys of ${curve} from points that are not on it`, () => {
    const x = '00'.repeat(31)
    const results = Array.from({ length: 16 }, (_, i) => isPublicKey(curve, `02${x}0${i.toString(16)}`))
    assert.ok(results.includes(true) && results.includes(false))
    assert.not(isPublicKey(curve, `02${'ff'.repeat(32)}`))
  })
}

it('takes 32 bytes as a private key of ed25519 as they are', () => {
  const random = new Uint8Array(32).fill(255)
  assert.equal(newPrivateKey('CURVE_ED25519', random), random)
  assert.ok(isPrivateKey('CURVE_ED25519', new Uint8Array(32)))
  // RFC 8032, 7.1, TEST 1
  const key = bytes('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60')
  assert.is(publicKeyOf('CURVE_ED25519', key), 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a')
})

for (const curve of keyCurves) {
  it(`takes one spelling of a public key of ${curve}`, () =>
    fc.assert(
      fc.property(anyPrivateKey(curve), (privateKey) => {
        const key = publicKeyOf(curve, privateKey)
        assert.ok(isPublicKey(curve, key))
        for (const other of [key.toUpperCase(), `0x${key}`, key.slice(2), `${key}00`, `00${key}`, ` ${key}`, ''])
          assert.not(isPublicKey(curve, other))
        const full = uncompressed(curve, key)
        assert.is(decodeHex(full)?.length, curve === 'CURVE_ED25519' ? 32 : 65)
        if (curve !== 'CURVE_ED25519') assert.not(isPublicKey(curve, full))
      }),
      { numRuns: 20 },
    ))

  it(`refuses private keys of ${curve} of any other length`, () => {
    for (const length of [0, 31, 33, 64]) assert.not(isPrivateKey(curve, new Uint8Array(length).fill(1)))
    assert.throws(() => newPrivateKey(curve, new Uint8Array(randomBytesOf(curve) - 1)), /random bytes/)
  })
}

it.run()
