import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeHex } from '../../../core/bytes.ts'
import { entropyBytesOf, mnemonicLengths, mnemonicOf, seedOf } from '../../../core/keys/mnemonic.ts'
import { vectorFile } from '../../vectors.ts'
import { bytes } from './keys.ts'

const it = suite('mnemonic')

type Vectors = { readonly english: readonly (readonly [entropy: string, mnemonic: string, seed: string])[] }

it('makes the mnemonics and seeds of BIP-39', () => {
  for (const [entropy, mnemonic, seed] of vectorFile<Vectors>('bip39', 'vectors.json')?.english ?? []) {
    assert.is(mnemonicOf(bytes(entropy)), mnemonic)
    assert.is(encodeHex(seedOf(bytes(entropy), 'TREZOR')), seed)
  }
})

it('makes a mnemonic of each length that BIP-39 has', () => {
  assert.equal(mnemonicLengths, [12, 15, 18, 21, 24])
  for (const words of mnemonicLengths)
    assert.is(mnemonicOf(new Uint8Array(entropyBytesOf(words) ?? 0)).split(' ').length, words)
})

it('has no entropy for other lengths', () => {
  for (const words of [0, 9, 13, 25, 27, Number.NaN]) assert.is(entropyBytesOf(words), undefined)
  for (const length of [0, 8, 15, 17, 33, 64]) assert.throws(() => mnemonicOf(new Uint8Array(length)))
})

it('makes another seed with a passphrase, however its characters are composed', () => {
  const seed = (passphrase?: string): string => encodeHex(seedOf(new Uint8Array(16), passphrase))
  assert.is(seed(), seed(''))
  assert.is.not(seed(), seed('é'))
  assert.is(seed('é'), seed('e\u0301'))
})

it.run()
