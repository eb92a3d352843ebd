import { base58 } from '@scure/base'
import { HDKey } from '@scure/bip32'
import fc from 'fast-check'
import { HDKey as Slip10Key } from 'micro-key-producer/slip10.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeHex } from '../../../core/bytes.ts'
import type { KeyCurve } from '../../../core/keys/curve.ts'
import { deriveAt, rootOf } from '../../../core/keys/derive.ts'
import type { KeyPathIndexes } from '../../../core/keys/path.ts'
import { publicKeyOf } from '../../../core/keys/public-key.ts'
import { vectorFile } from '../../vectors.ts'
import { anyBytes, bytes, path } from './keys.ts'

const it = suite('derivation of keys')

type Chain = {
  readonly path: string
  readonly chain_code: string
  readonly private: string
  readonly public: string
}
type Slip10 = {
  readonly name: string
  readonly curve: string
  readonly seed: string
  readonly chains: readonly Chain[]
}

const curves: Readonly<Record<string, KeyCurve>> = {
  secp256k1: 'CURVE_SECP256K1',
  ed25519: 'CURVE_ED25519',
  nist256p1: 'CURVE_P256',
}

it('derives the keys of SLIP-10', () => {
  for (const { curve: name, seed, chains } of vectorFile<readonly Slip10[]>('slip10', 'slip10-vectors.json') ?? []) {
    const curve = curves[name]
    if (curve === undefined) continue // X25519, which has no wallets
    for (const chain of chains) {
      const key = deriveAt(rootOf(bytes(seed), curve), path(chain.path))
      assert.is(encodeHex(key.privateKey), chain.private)
      assert.is(encodeHex(key.chainCode), chain.chain_code)
      assert.is(publicKeyOf(curve, key.privateKey), chain.public.slice(curve === 'CURVE_ED25519' ? 2 : 0))
    }
  }
})

it('goes on where a hash is no key of P-256, as SLIP-10 says', () => {
  const retried = deriveAt(rootOf(bytes('000102030405060708090a0b0c0d0e0f'), 'CURVE_P256'), path("m/28578'/33941"))
  assert.is(encodeHex(retried.privateKey), '092154eed4af83e078ff9b84322015aefe5769e31270f62c3f66c33888335f3a')
  assert.is(encodeHex(retried.chainCode), '9e87fe95031f14736774cd82f25fd885065cb7c358c1edf813c72af535e83071')
  const seed = bytes('a7305bc8df8d0951f0cb224c0e95d7707cbdf2c6ce7e8d481fec69c7ff5e9446')
  assert.is(
    encodeHex(rootOf(seed, 'CURVE_P256').privateKey),
    '3b8c18469a4634517d6d0b65448f8e6c62091b45540a1743c5846be55d47d88f',
  )
})

type Bip32 = {
  readonly valid: readonly {
    readonly chains: readonly { readonly path: string; readonly pub: string; readonly prv: string }[]
  }[]
}
/** The seeds of BIP-32's vectors, which the file leaves out. */
const bip32Seeds = [
  '000102030405060708090a0b0c0d0e0f',
  'fffcf9f6f3f0edeae7e4e1dedbd8d5d2cfccc9c6c3c0bdbab7b4b1aeaba8a5a29f9c999693908d8a8784817e7b7875726f6c696663605d5a5754514e4b484542',
  '4b381541583be4423346c643850da4b320e46a87ae3d2a4e6da11eba819cd4acba45d239319ac14f863b8d5ab5a0d0c64d2e8a1e7d1457df2e5a3c51c73235be',
  '3ddd5602285899a946114506157c7997e5444528f3003f6134712147db19b678',
]

it('derives the keys of BIP-32', () => {
  const vectors = vectorFile<Bip32>('bitcoin-bips', 'bip32-vectors.json')?.valid ?? []
  for (const [i, { chains }] of vectors.entries())
    for (const { path: text, prv, pub } of chains) {
      const key = deriveAt(rootOf(bytes(bip32Seeds[i] ?? ''), 'CURVE_SECP256K1'), path(text))
      const serialized = base58.decode(prv)
      assert.equal(key.privateKey, serialized.slice(46, 78))
      assert.equal(key.chainCode, serialized.slice(13, 45))
      assert.is(publicKeyOf('CURVE_SECP256K1', key.privateKey), encodeHex(base58.decode(pub).slice(45, 78)))
    }
})

it('derives what other libraries derive', () =>
  fc.assert(
    fc.property(anyBytes(32), anyPath(), (seed, indexes) => {
      const text = textOf(indexes)
      assert.equal(privateKeyAt(seed, 'CURVE_SECP256K1', indexes), HDKey.fromMasterSeed(seed).derive(text).privateKey)
      assert.equal(
        privateKeyAt(seed, 'CURVE_ED25519', indexes),
        Slip10Key.fromMasterSeed(seed).derive(text, true).privateKey,
      )
    }),
    { numRuns: 30 },
  ))

it('hardens each index of ed25519', () => {
  const at = (curve: KeyCurve, text: string) => privateKeyAt(new Uint8Array(64), curve, path(text))
  assert.equal(at('CURVE_ED25519', "m/44'/0/1"), at('CURVE_ED25519', "m/44'/0'/1'"))
  assert.not.equal(at('CURVE_P256', 'm/0'), at('CURVE_P256', "m/0'"))
})

const privateKeyAt = (seed: Uint8Array, curve: KeyCurve, indexes: KeyPathIndexes): Uint8Array =>
  deriveAt(rootOf(seed, curve), indexes).privateKey

const anyPath = (): fc.Arbitrary<KeyPathIndexes> =>
  fc
    .array(fc.tuple(fc.integer({ min: 0, max: 0x7fff_ffff }), fc.boolean()), { maxLength: 4 })
    .map((levels) => ({ indexes: levels.map(([index]) => index), hardened: levels.map(([, hardened]) => hardened) }))

const textOf = ({ indexes, hardened }: KeyPathIndexes): string =>
  ['m', ...indexes.map((index, i) => `${index}${hardened[i] === true ? "'" : ''}`)].join('/')

it.run()
