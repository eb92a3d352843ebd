import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { englishOf, mnemonicOf, readMnemonic } from '../../../core/keys/mnemonic.ts'
import { entropyBytesOf, mnemonicLanguages, mnemonicLengths } from '../../../core/keys/mnemonic-parameters.ts'
import { mnemonicVectors } from './mnemonic-vectors.ts'

const it = suite('mnemonic')

for (const language of mnemonicLanguages)
  it(`makes the mnemonics of BIP-39, and reads them as the same words: ${language}`, () => {
    for (const { entropy, mnemonic } of mnemonicVectors(language)) {
      assert.is(mnemonicOf({ entropy, language }).normalize('NFKD'), mnemonic.normalize('NFKD'))
      const read = readMnemonic(mnemonic)
      assert.is(read && mnemonicOf(read).normalize('NFKD'), mnemonic.normalize('NFKD'))
    }
  })

it('makes a mnemonic of each length that BIP-39 has', () => {
  assert.equal(mnemonicLengths, [12, 15, 18, 21, 24])
  for (const words of mnemonicLengths)
    assert.is(mnemonicOf(englishOf(new Uint8Array(entropyBytesOf(words) ?? 0))).split(' ').length, words)
})

it('has no entropy for other lengths', () => {
  for (const words of [0, 9, 13, 25, 27, Number.NaN]) assert.is(entropyBytesOf(words), undefined)
  for (const length of [0, 8, 15, 17, 33, 64]) assert.throws(() => mnemonicOf(englishOf(new Uint8Array(length))))
})

for (const language of mnemonicLanguages)
  it(`reads what it writes, as the same seed: ${language}`, () => {
    for (const length of [16, 20, 24, 28, 32])
      for (const fill of [0, 0x5a, 0xff]) {
        const entropy = new Uint8Array(length).fill(fill).map((byte, index) => byte ^ index)
        const words = mnemonicOf({ entropy, language })
        assert.match(words, /^\S+(?: \S+)+$/)
        const read = readMnemonic(words)
        // Words that are in two lists are read by the first one, which gives the same words and so the same seed.
        assert.is(read && mnemonicOf(read).normalize('NFKD'), words.normalize('NFKD'))
        for (const typed of [
          words.normalize('NFC'),
          words.replaceAll(' ', '\u3000'),
          `  ${words.replaceAll(' ', '  ')} `,
        ])
          assert.equal(readMnemonic(typed), read)
      }
  })

it('reads no words with a wrong checksum, of two languages, of another length or of none', () => {
  const words = mnemonicOf(englishOf(new Uint8Array(16)))
  const wrong = [
    words.replace(/\w+$/, 'abandon'),
    words.replace(/\w+$/, 'ábaco'),
    words.replace(/ \w+$/, ''),
    `${words} ${words}`,
    words.toUpperCase(),
    '',
    '\ud800',
  ]
  for (const one of wrong) assert.is(readMnemonic(one), undefined)
})

it.run()
