import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decodeHex } from '../../../core/bytes.ts'
import { curveOf } from '../../../core/stamp/scheme.ts'
import { vectorFile } from '../../vectors.ts'
import { headerOf, verdict, verifiers } from './verifiers.ts'

const it = suite('wycheproof')

type Wycheproof = { readonly numberOfTests: number; readonly testGroups: readonly Group[] }
type Group = {
  readonly publicKey: { readonly pk?: string; readonly uncompressed?: string }
  readonly tests: readonly Case[]
}
type Case = {
  readonly tcId: number
  readonly comment: string
  readonly msg: string
  readonly sig: string
  readonly result: string
}

const files = [
  { file: 'ecdsa_secp256r1_sha256_test.json', scheme: 'SIGNATURE_SCHEME_TK_API_P256', cases: 484 },
  { file: 'ecdsa_secp256k1_sha256_test.json', scheme: 'SIGNATURE_SCHEME_TK_API_SECP256K1', cases: 476 },
  { file: 'ed25519_test.json', scheme: 'SIGNATURE_SCHEME_TK_API_ED25519', cases: 151 },
] as const

/**
 * Cases that are `invalid` there and accepted here, each with its reason. There is none: the surplus zeros that we
 * accept keep an integer within 33 bytes, and those of Wycheproof do not.
 */
const leniencies: Record<string, string> = {}

for (const { file, scheme, cases } of files)
  for (const [name, signatures] of Object.entries(verifiers))
    it(`${name} decides every stamp of ${file} as it says`, async () => {
      const vectors = vectorFile<Wycheproof>('wycheproof', file)
      if (vectors === undefined) return
      const wrong: string[] = []
      let count = 0
      for (const { publicKey, tests } of vectors.testGroups) {
        const key = publicKey.pk ?? publicKey.uncompressed ?? ''
        for (const { tcId, comment, msg, sig, result } of tests) {
          const body = decodeHex(msg) ?? new Uint8Array()
          const isValid = await verdict(
            signatures,
            headerOf({ publicKey: key, scheme, signature: sig }),
            body,
            curveOf(scheme),
          )
          const expected = result === 'valid' || `${file} ${tcId}` in leniencies
          if (isValid !== expected) wrong.push(`${tcId}: ${comment}`)
          count += 1
        }
      }
      assert.equal(wrong, [])
      assert.is(count, cases)
    })

type WycheproofRsa = {
  readonly testGroups: readonly {
    readonly publicKey: { readonly modulus: string; readonly publicExponent: string }
    readonly tests: readonly Case[]
  }[]
}

for (const [name, signatures] of Object.entries(verifiers))
  it(`${name} decides every RSA signature as it says, and takes no acceptable one`, async () => {
    const vectors = vectorFile<WycheproofRsa>('wycheproof', 'rsa_signature_2048_sha256_test.json')
    if (vectors === undefined) return
    const wrong: string[] = []
    let count = 0
    for (const { publicKey, tests } of vectors.testGroups) {
      const bytes = (hex: string): Uint8Array => decodeHex(hex) ?? new Uint8Array()
      const [modulus, exponent] = [publicKey.modulus, publicKey.publicExponent].map((hex) =>
        bytes(hex.replace(/^(?:00)+/, '')),
      )
      if (modulus === undefined || exponent === undefined) throw new Error('no key')
      for (const { tcId, comment, msg, sig, result } of tests) {
        const isValid = await signatures.verifyRsa({ modulus, exponent, signature: bytes(sig), message: bytes(msg) })
        if (isValid !== (result === 'valid')) wrong.push(`${tcId}: ${comment}`)
        count += 1
      }
    }
    assert.equal(wrong, [])
    assert.is(count, 259)
  })

it.run()
