import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  addressFormats,
  addressOf,
  curvesOf,
  isAddressFormat,
  type AddressFormat,
} from '../../../core/keys/address-formats.ts'
import { keyCurves } from '../../../core/keys/curve.ts'
import { deriveAt, rootOf } from '../../../core/keys/derive.ts'
import { seedOf } from '../../../adapters/keyring/seed.ts'
import { englishOf } from '../../../core/keys/mnemonic.ts'
import { publicKeyOf, uncompressed } from '../../../core/keys/public-key.ts'
import { addressTexts } from './address-texts.ts'
import { path } from './keys.ts'

const it = suite('address formats')

const KEY = new Uint8Array(32).fill(1)

it('has 38 formats', () => {
  assert.is(addressFormats.length, 38)
  assert.equal([...addressFormats], Object.keys(addressTexts))
  assert.ok(isAddressFormat('ADDRESS_FORMAT_XRP'))
  for (const name of ['', 'ADDRESS_FORMAT_', 'ADDRESS_FORMAT_BITCOIN', 'toString', '__proto__'])
    assert.not(isAddressFormat(name))
})

for (const format of addressFormats) {
  it(`computes an address of ${format}`, () => {
    const [curve = 'CURVE_P256'] = curvesOf(format)
    assert.is(addressOf(format, curve, publicKeyOf(curve, KEY)), addressTexts[format])
  })

  it(`refuses keys of other curves for ${format}`, () => {
    for (const curve of keyCurves)
      if (!curvesOf(format).includes(curve))
        assert.throws(() => addressOf(format, curve, publicKeyOf(curve, KEY)), /is for keys of/)
  })
}

it('refuses what is no public key', () => {
  for (const key of [
    '',
    '02',
    `02${'ff'.repeat(32)}`,
    uncompressed('CURVE_SECP256K1', publicKeyOf('CURVE_SECP256K1', KEY)),
  ])
    assert.throws(() => addressOf('ADDRESS_FORMAT_ETHEREUM', 'CURVE_SECP256K1', key), /public key of CURVE_SECP256K1/)
})

it('writes keys of each curve that has the format', () => {
  for (const curve of keyCurves)
    assert.is(addressOf('ADDRESS_FORMAT_COMPRESSED', curve, publicKeyOf(curve, KEY)), publicKeyOf(curve, KEY))
  const key = publicKeyOf('CURVE_P256', KEY)
  assert.is(addressOf('ADDRESS_FORMAT_UNCOMPRESSED', 'CURVE_P256', key), uncompressed('CURVE_P256', key))
})

/** Published for the mnemonic that is eleven times `abandon`, and `about`. */
const published: readonly (readonly [AddressFormat, path: string, address: string])[] = [
  ['ADDRESS_FORMAT_BITCOIN_MAINNET_P2PKH', "m/44'/0'/0'/0/0", '1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA'],
  ['ADDRESS_FORMAT_BITCOIN_MAINNET_P2SH', "m/49'/0'/0'/0/0", '37VucYSaXLCAsxYyAPfbSi9eh4iEcbShgf'],
  ['ADDRESS_FORMAT_BITCOIN_TESTNET_P2SH', "m/49'/1'/0'/0/0", '2Mww8dCYPUpKHofjgcXcBCEGmniw9CoaiD2'], // BIP-49
  ['ADDRESS_FORMAT_BITCOIN_MAINNET_P2WPKH', "m/84'/0'/0'/0/0", 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'], // BIP-84
  ['ADDRESS_FORMAT_BITCOIN_MAINNET_P2WPKH', "m/84'/0'/0'/0/1", 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g'],
  [
    'ADDRESS_FORMAT_BITCOIN_MAINNET_P2TR',
    "m/86'/0'/0'/0/0",
    'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
  ], // BIP-86
  ['ADDRESS_FORMAT_ETHEREUM', "m/44'/60'/0'/0/0", '0x9858EfFD232B4033E47d90003D41EC34EcaEda94'],
  ['ADDRESS_FORMAT_SOLANA', "m/44'/501'/0'/0'", 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk'],
  ['ADDRESS_FORMAT_XLM', "m/44'/148'/0'", 'GB3JDWCQJCWMJ3IILWIGDTQJJC5567PGVEVXSCVPEQOTDN64VJBDQBYX'], // SEP-5
]

it('computes published addresses of a published mnemonic', () => {
  const seed = seedOf(englishOf(new Uint8Array(16)))
  for (const [format, text, address] of published) {
    const [curve = 'CURVE_P256'] = curvesOf(format)
    assert.is(
      addressOf(format, curve, publicKeyOf(curve, deriveAt(rootOf(seed, curve), path(text)).privateKey)),
      address,
      text,
    )
  }
})

it.run()
