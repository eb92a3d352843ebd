import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { seedOf } from '../../../adapters/keyring/seed.ts'
import { encodeHex } from '../../../core/bytes.ts'
import { englishOf, readMnemonic } from '../../../core/keys/mnemonic.ts'
import { mnemonicLanguages } from '../../../core/keys/mnemonic-parameters.ts'
import { mnemonicVectors } from '../../core/keys/mnemonic-vectors.ts'

const it = suite('seeds')

for (const language of mnemonicLanguages)
  it(`are those of BIP-39: ${language}`, () => {
    for (const { entropy, mnemonic, seed } of mnemonicVectors(language)) {
      const passphrase = 'TREZOR'
      assert.is(encodeHex(seedOf({ entropy, language, passphrase })), seed)
      const read = readMnemonic(mnemonic)
      assert.is(read && encodeHex(seedOf({ ...read, passphrase })), seed)
    }
  })

it('are others with a passphrase, however its characters are composed', () => {
  const seed = (passphrase?: string): string => encodeHex(seedOf(englishOf(new Uint8Array(16), passphrase)))
  assert.is(seed(), seed(''))
  assert.is.not(seed(), seed('\u00e9'))
  assert.is(seed('\u00e9'), seed('e\u0301'))
})

it.run()
