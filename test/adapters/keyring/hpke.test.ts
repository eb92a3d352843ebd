import { p256 } from '@noble/curves/nist.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decryptWith, encryptTo } from '../../../adapters/keyring/hpke.ts'
import { encodeHex } from '../../../core/bytes.ts'
import { bytesOf } from '../../core/resources/bundle/border.ts'
import { vectorFile } from '../../vectors.ts'

const it = suite('HPKE')

type Vector = {
  readonly mode: number
  readonly kem_id: number
  readonly kdf_id: number
  readonly aead_id: number
  readonly info: string
  readonly ikmE: string
  readonly skRm: string
  readonly pkRm: string
  readonly enc: string
  readonly encryptions: readonly { readonly aad: string; readonly ct: string; readonly pt: string }[]
}

/** Base mode, DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM. */
const isOurs = ({ mode, kem_id, kdf_id, aead_id }: Vector): boolean =>
  mode === 0 && kem_id === 0x10 && kdf_id === 1 && aead_id === 2

const vectors = (vectorFile<readonly Vector[]>('hpke-rfc9180', 'vectors_rfc9180_5f503c5.json') ?? []).filter(isOurs)

it('encrypts and decrypts the vectors of RFC 9180 for its suite', async () => {
  for (const { info, ikmE, skRm, pkRm, enc, encryptions } of vectors) {
    const [first] = encryptions // one message for each context
    if (first === undefined) throw new Error('a vector has encryptions')
    const inputs = { info: bytesOf(info), aad: bytesOf(first.aad), ekm: bytesOf(ikmE) }
    const encrypted = await encryptTo(bytesOf(pkRm), bytesOf(first.pt), inputs)
    assert.equal(encrypted, { encappedPublic: enc, ciphertext: first.ct })
    const plain = await decryptWith(bytesOf(skRm), bytesOf(pkRm), encrypted, inputs)
    assert.is(plain && encodeHex(plain), first.pt)
  }
})

const { secretKey: KEY } = p256.keygen()
const POINT = p256.getPublicKey(KEY, false)

it('takes a view of a larger buffer for what the view has', async () => {
  const large = new Uint8Array(500).fill(7)
  const encrypted = await encryptTo(POINT, large.subarray(3, 35))
  const plain = await decryptWith(new Uint8Array([...KEY, 9]).subarray(0, 32), POINT, encrypted)
  assert.equal(plain, new Uint8Array(32).fill(7))
})

it('opens nothing in which a bit was changed, that is for another key, or whose key is not on the curve', async () => {
  const { encappedPublic, ciphertext } = await encryptTo(POINT, Uint8Array.of(1, 2))
  const opens = async (encrypted: { encappedPublic: string; ciphertext: string }): Promise<boolean> =>
    (await decryptWith(KEY, POINT, encrypted)) !== undefined
  assert.is(await opens({ encappedPublic, ciphertext }), true)
  for (const [name, hex] of Object.entries({ encappedPublic, ciphertext }))
    for (let bit = 0; bit < hex.length * 4; bit += 1) {
      const bytes = bytesOf(hex)
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      assert.is(await opens({ encappedPublic, ciphertext, [name]: encodeHex(bytes) }), false)
    }
  const other = await encryptTo(POINT, Uint8Array.of(1, 2))
  for (const wrong of [other.encappedPublic, `04${'11'.repeat(64)}`, '00', '', 'xy'])
    assert.is(await opens({ encappedPublic: wrong, ciphertext }), false)
  assert.is(await opens({ encappedPublic, ciphertext: '' }), false)
})

it.run()
