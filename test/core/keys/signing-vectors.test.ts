import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeHex } from '../../../core/bytes.ts'
import { publicKeyOf } from '../../../core/keys/public-key.ts'
import { sign, verify } from '../../../core/keys/signing.ts'
import { outputKeyOf, outputPrivateKeyOf } from '../../../core/keys/taproot.ts'
import { vectorFile } from '../../vectors.ts'
import { bytes } from './keys.ts'

const it = suite('signing vectors')

const BITCOIN = 'bitcoin-core-via-bitcoinjs'

type Bip340 = { readonly [column: string]: string }

it('decides the signatures of BIP-340, and makes those without randomness', () => {
  for (const vector of vectorFile<readonly Bip340[]>(BITCOIN, 'bip340.json') ?? []) {
    const column = (name: string): string => (vector[name] ?? '').toLowerCase()
    const [message, signature, secretKey] = [bytes(column('message')), column('signature'), column('secret key')]
    const parts = { r: signature.slice(0, 64), s: signature.slice(64), v: '00' }
    const isValid = verify('schnorr', 'CURVE_SECP256K1', `02${column('public key')}`, message, parts)
    assert.is(isValid, column('verification result') === 'true', column('index'))
    if (/^0{64}$/.test(column('aux_rand')))
      assert.equal(sign('schnorr', 'CURVE_SECP256K1', bytes(secretKey), message), parts)
  }
})

type Bip341 = {
  readonly scriptPubKey: readonly {
    readonly given: { readonly internalPubkey: string; readonly scriptTree: object | null }
    readonly intermediary: { readonly tweakedPubkey: string }
  }[]
  readonly keyPathSpending: readonly {
    readonly inputSpending: readonly {
      readonly given: { readonly internalPrivkey: string; readonly merkleRoot: string | null }
      readonly intermediary: { readonly tweakedPrivkey: string; readonly sigHash: string }
      readonly expected: { readonly witness: readonly [string] }
    }[]
  }[]
}

it('tweaks keys and signs for the key path of BIP-341 without scripts', () => {
  const vectors = vectorFile<Bip341>(BITCOIN, 'bip341.json')
  for (const { given, intermediary } of vectors?.scriptPubKey ?? [])
    if (given.scriptTree === null)
      assert.is(encodeHex(outputKeyOf(bytes(given.internalPubkey))), intermediary.tweakedPubkey)
  for (const { given, intermediary, expected } of vectors?.keyPathSpending.flatMap((one) => one.inputSpending) ?? []) {
    if (given.merkleRoot !== null) continue
    const key = bytes(given.internalPrivkey)
    assert.is(encodeHex(outputPrivateKeyOf(key)), intermediary.tweakedPrivkey)
    const digest = bytes(intermediary.sigHash)
    const signature = sign('taproot', 'CURVE_SECP256K1', key, digest)
    assert.is(signature.r + signature.s, expected.witness[0].slice(0, 128))
    const publicKey = publicKeyOf('CURVE_SECP256K1', key)
    assert.ok(verify('taproot', 'CURVE_SECP256K1', publicKey, digest, signature))
    assert.not(verify('schnorr', 'CURVE_SECP256K1', publicKey, digest, signature))
  }
})

type Wycheproof = {
  readonly testGroups: readonly {
    readonly publicKey: { readonly uncompressed: string; readonly pk: string }
    readonly tests: readonly {
      readonly tcId: number
      readonly comment: string
      readonly msg: string
      readonly sig: string
      readonly result: string
    }[]
  }[]
}

/** Valid signatures whose point has an x above the group's order. Their recovery id is 2 or 3, which the wire does not have. */
const beyondOrder: Readonly<Record<string, readonly number[]>> = {
  CURVE_SECP256K1: [115, 247],
  CURVE_P256: [115, 257],
}

for (const [file, curve, ecdsa] of [
  ['ecdsa_secp256k1_sha256_p1363_test.json', 'CURVE_SECP256K1', secp256k1],
  ['ecdsa_secp256r1_sha256_p1363_test.json', 'CURVE_P256', p256],
] as const)
  it(`decides every signature of ${file}, with a low s and one v`, () => {
    const beyond: number[] = []
    const { testGroups } = vectorFile<Wycheproof>('wycheproof', file) ?? {}
    for (const { publicKey, tests } of testGroups ?? []) {
      const key = ecdsa.Point.fromHex(publicKey.uncompressed).toHex(true)
      for (const { tcId, comment, msg, sig, result } of tests) {
        const digest = sha256(bytes(msg))
        const [r, s] = [sig.slice(0, sig.length / 2), sig.slice(sig.length / 2)]
        const valid = (of: string): number =>
          ['00', '01'].filter((v) => verify('ecdsa', curve, key, digest, { r, s: of, v })).length
        const low = lowOf(s, ecdsa.Point.Fn.ORDER)
        if (result === 'valid' && valid(low) === 0) beyond.push(tcId)
        else assert.is(valid(low), result === 'valid' ? 1 : 0, `${tcId}: ${comment}`)
        if (low !== s) assert.is(valid(s), 0, `${tcId}: ${comment}`)
      }
    }
    if (testGroups !== undefined) assert.equal(beyond, beyondOrder[curve])
  })

/** The low form of `s`; as it is, where it is no number of the group. */
const lowOf = (s: string, order: bigint): string => {
  const number = s.length === 64 ? BigInt(`0x${s}`) : 0n
  return number > order / 2n && number < order ? (order - number).toString(16).padStart(64, '0') : s
}

it('decides every signature of ed25519_test.json as it says', () => {
  for (const { publicKey, tests } of vectorFile<Wycheproof>('wycheproof', 'ed25519_test.json')?.testGroups ?? [])
    for (const { tcId, comment, msg, sig, result } of tests) {
      const parts = { r: sig.slice(0, 64), s: sig.slice(64), v: '00' }
      const isValid = verify('eddsa', 'CURVE_ED25519', publicKey.pk, bytes(msg), parts)
      assert.is(isValid, result === 'valid', `${tcId}: ${comment}`)
    }
})

it.run()
