import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeHex, encodeUtf8 } from '../../../core/bytes.ts'
import { credentialTypeOf, curveOf, eip191Digest, schemeOf, SignatureScheme } from '../../../core/stamp/scheme.ts'

const it = suite('scheme')

it('knows the curve of each scheme, and the scheme of each curve', () => {
  for (const curve of ['API_KEY_CURVE_P256', 'API_KEY_CURVE_SECP256K1', 'API_KEY_CURVE_ED25519'] as const)
    assert.is(curveOf(schemeOf(curve)), curve)
  assert.is(curveOf('SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191'), 'API_KEY_CURVE_SECP256K1')
})

it('knows the credential type of each curve', () => {
  assert.is(credentialTypeOf('API_KEY_CURVE_P256'), 'CREDENTIAL_TYPE_API_KEY_P256')
  assert.is(credentialTypeOf('API_KEY_CURVE_SECP256K1'), 'CREDENTIAL_TYPE_API_KEY_SECP256K1')
  assert.is(credentialTypeOf('API_KEY_CURVE_ED25519'), 'CREDENTIAL_TYPE_API_KEY_ED25519')
})

it('knows no scheme by a name that every object has', () => {
  assert.not.ok(SignatureScheme.is('constructor'))
  assert.not.ok(SignatureScheme.is('toString'))
})

it('hashes a message as wallets do, its length counted in bytes', () => {
  assert.is(
    encodeHex(eip191Digest(encodeUtf8('hello world'))),
    'd9eba16ed0ecae432b71fe008c98cc872bb4cc214d3220a36f365326cf807d68',
  )
  assert.is.not(encodeHex(eip191Digest(encodeUtf8('é'))), encodeHex(eip191Digest(encodeUtf8('e'))))
})

it.run()
