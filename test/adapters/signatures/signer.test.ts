import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateKey, signingKey, stamp, stamper } from '../../../adapters/signatures/signer.ts'
import { encodeUtf8 } from '../../../core/bytes.ts'
import { E } from '../../../core/prelude.ts'
import { isPublicKey } from '../../../core/stamp/public-key.ts'
import { parseApiKeyStamp } from '../../../core/stamp/api-key-stamp.ts'

const it = suite('signer')

const body = encodeUtf8('{}')
const curves = ['API_KEY_CURVE_P256', 'API_KEY_CURVE_SECP256K1', 'API_KEY_CURVE_ED25519'] as const

for (const curve of curves) {
  it(`makes canonical keys on ${curve}`, () => {
    for (let n = 0; n < 20; n++) {
      const key = generateKey(curve)
      assert.match(key.privateKey, /^[0-9a-f]{64}$/)
      assert.ok(isPublicKey(curve, key.publicKey))
      assert.equal(signingKey(curve, key.privateKey.toUpperCase()), E.right(key))
    }
  })

  it(`stamps with the key's public half and the scheme of ${curve}`, () => {
    const key = generateKey(curve)
    const stamped = parseApiKeyStamp(stamp(key, body))
    assert.ok(E.isRight(stamped))
    assert.is(stamped.right.publicKey, key.publicKey)
    assert.is(stamped.right.scheme, curve.replace('API_KEY_CURVE', 'SIGNATURE_SCHEME_TK_API'))
  })
}

it('knows the public key of a private key', () =>
  assert.equal(
    E.map(({ publicKey }: { readonly publicKey: string }) => publicKey)(
      // RFC 8032, section 7.1, test 1
      signingKey('API_KEY_CURVE_ED25519', '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60'),
    ),
    E.right('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'),
  ))

for (const [privateKey, why] of [
  ['', 'nothing'],
  ['00'.repeat(32), 'zero'],
  ['ff'.repeat(32), 'a number above the order'],
  ['11'.repeat(31), '31 bytes'],
  ['zz'.repeat(32), 'what is not hex'],
] as const)
  it(`refuses ${why} as a private key, and does not repeat it`, () => {
    for (const curve of ['API_KEY_CURVE_P256', 'API_KEY_CURVE_SECP256K1'] as const) {
      const key = signingKey(curve, privateKey)
      assert.ok(E.isLeft(key))
      assert.is(key.left.code, 'CONFIGURATION_INVALID')
      assert.ok(privateKey === '' || !key.left.message.includes(privateKey))
    }
  })

it('signs as a wallet with keys on secp256k1 only', () => {
  assert.throws(() => stamper(generateKey('API_KEY_CURVE_P256'), { eip191: true }), /secp256k1/)
  const stamped = parseApiKeyStamp(stamp(generateKey('API_KEY_CURVE_SECP256K1'), body, { eip191: true }))
  assert.ok(E.isRight(stamped))
  assert.is(stamped.right.scheme, 'SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191')
})

it.run()
