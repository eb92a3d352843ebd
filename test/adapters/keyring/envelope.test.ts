import { p256 } from '@noble/curves/nist.js'
import { encryptOauth2ClientSecret, encryptToEnclave } from '@turnkey/crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openedEnvelope } from '../../../adapters/keyring/envelope.ts'
import { decryptWith } from '../../../adapters/keyring/hpke.ts'
import { failsWith, right } from '../../../adapters/testing/expect.ts'
import { decodeHex, decodeUtf8, encodeUtf8 } from '../../../core/bytes.ts'
import { uncompressed } from '../../../core/keys/public-key.ts'
import { keyringOn, place, sealedInMemory } from './keyring-under-test.ts'

const it = suite('envelopes that clients encrypt to a key')

const sealed = sealedInMemory()
const keyring = keyringOn(sealed)
it.after(keyring.close)
const own = { ...place, keyId: 'encryption' }
const textOf = (bytes: Uint8Array | undefined): string | undefined => bytes && decodeUtf8(bytes)
const bytesOf = (hex: string): Uint8Array => decodeHex(hex) ?? new Uint8Array()

const publicKey = async (): Promise<string> => {
  await right(keyring.makeKey(own, 'CURVE_P256'))
  const [key = ''] = await right(keyring.publicKeys(own, [{ curve: 'CURVE_P256' }]))
  return uncompressed('CURVE_P256', key)
}

it('open, where the official client has made them, whatever is in them', async () => {
  const key = await publicKey()
  for (const secret of ['a', 'the secret of a client \u2713', 'x'.repeat(2_000)]) {
    const made = [bytesOf(await encryptOauth2ClientSecret(secret, key)), await encryptToEnclave(key, secret)]
    for (const envelope of made) assert.is(textOf(await right(keyring.openEnvelope(own, envelope))), secret)
  }
})

it('do not open with another key, or where anything was changed', async () => {
  const key = await publicKey()
  const envelope = bytesOf(await encryptOauth2ClientSecret('secret', key))
  assert.is(openedEnvelope(p256.keygen().secretKey, envelope), undefined)
  const other = bytesOf(
    await encryptOauth2ClientSecret('secret', p256.Point.fromBytes(p256.keygen().publicKey).toHex(false)),
  )
  assert.is(await right(keyring.openEnvelope(own, other)), undefined)
  const { secretKey, publicKey: target } = p256.keygen()
  const one = bytesOf(await encryptOauth2ClientSecret('secret', p256.Point.fromBytes(target).toHex(false)))
  assert.is(textOf(openedEnvelope(secretKey, one)), 'secret')
  for (let at = 0; at < one.length; at++)
    assert.is(
      openedEnvelope(
        secretKey,
        one.map((byte, index) => (index === at ? byte ^ 1 : byte)),
      ),
      undefined,
      String(at),
    )
  for (const bytes of [new Uint8Array(), one.subarray(0, 96), one.subarray(0, -1), Uint8Array.of(...one, 0)])
    assert.is(openedEnvelope(secretKey, bytes), undefined)
})

it('do not open where there is no key', () =>
  failsWith('KEY_MISSING', keyring.openEnvelope({ ...place, keyId: 'nobody' }, new Uint8Array(100))))

it('of bytes to a client are opened by the client alone', async () => {
  const { secretKey, publicKey: target } = p256.keygen()
  const point = p256.Point.fromBytes(target)
  for (const to of [point.toHex(true), point.toHex(false)]) {
    const encrypted = await right(keyring.encryptTo(to, encodeUtf8('a token')))
    assert.is(textOf(await decryptWith(secretKey, point.toBytes(false), encrypted)), 'a token')
    assert.is(await decryptWith(p256.keygen().secretKey, point.toBytes(false), encrypted), undefined)
  }
  await failsWith('INTERNAL', keyring.encryptTo(`02${'ff'.repeat(32)}`, encodeUtf8('a token')))
})

it.run()
