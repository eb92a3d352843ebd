import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { keyOf } from '../../../adapters/cli/credentials.ts'
import { Stop } from '../../../adapters/cli/stop.ts'
import { generateKey } from '../../../adapters/signatures/signer.ts'

const it = suite('a credentials file')

const curves = ['API_KEY_CURVE_P256', 'API_KEY_CURVE_SECP256K1', 'API_KEY_CURVE_ED25519'] as const
const made = (curveType: (typeof curves)[number]) => {
  const { publicKey, privateKey } = generateKey(curveType)
  return { curveType, apiPublicKey: publicKey, apiPrivateKey: privateKey }
}

it('gives the key, in which both halves belong together', () => {
  for (const curveType of curves) {
    const credentials = made(curveType)
    const apiPublicKey = credentials.apiPublicKey.toUpperCase()
    assert.is(keyOf('c.json', { ...credentials, apiPublicKey }).publicKey, credentials.apiPublicKey)
  }
})

it('is refused where it holds halves of two keys', () => {
  for (const curveType of curves) {
    const { apiPublicKey } = made(curveType)
    const says = 'c.json holds no usable key: its public key does not belong to its private key'
    assert.throws(
      () => keyOf('c.json', { ...made(curveType), apiPublicKey }),
      (error: unknown) => error instanceof Stop && error.exitCode === 2 && error.message === says,
    )
  }
})

it.run()
