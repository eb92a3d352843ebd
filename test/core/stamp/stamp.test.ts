import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeUtf8 } from '../../../core/bytes.ts'
import { E } from '../../../core/prelude.ts'
import { stampOf, verifyStamp, type StampTexts } from '../../../core/stamp/stamp.ts'
import { generateKey, stamp } from '../../../adapters/signatures/signer.ts'
import { right } from '../../world.ts'

const it = suite('stamp')

const key = generateKey('API_KEY_CURVE_P256')
const body = encodeUtf8('{}')
const good = stamp(key, body)
const texts = (entries: { readonly [header: string]: string }): StampTexts => new Map(Object.entries(entries))
const codeOf = (entries: { readonly [header: string]: string }): string => {
  const found = stampOf('submit')(texts(entries))
  return E.isLeft(found) ? found.left.code : 'accepted'
}

it('finds the one stamp of a request, with its header and its text', () => {
  const { header, text, stamp: found } = right(stampOf('submit')(texts({ 'X-Stamp': good })))
  assert.equal([header, text, found.kind, found.publicKey], ['X-Stamp', good, 'api-key', key.publicKey])
})

it('says for a submit and for a query what is missing', () => {
  const missing = (asks: 'submit' | 'query') => E.swap(stampOf(asks)(texts({})))
  assert.equal(
    missing('submit'),
    E.right({
      code: 'SIGNATURE_MISSING',
      message: 'cannot authenticate public API activity request without a stamp (X-Stamp/X-Stamp-Webauthn header)',
    }),
  )
  assert.equal(
    missing('query'),
    E.right({ code: 'SIGNATURE_MISSING', message: 'no valid authentication signature found for request' }),
  )
})

it('refuses a request with two stamps, whichever is good', () => {
  for (const entries of [
    { 'X-Stamp': good, 'X-Stamp-WebAuthn': '{}' },
    { 'X-Stamp': good, 'X-Stamp-Attested': '' },
    { 'X-Stamp-WebAuthn': '{}', 'X-Stamp-Attested': '{}' },
  ])
    assert.is(codeOf(entries), 'UNAUTHENTICATED')
})

it('says that passkey and attested stamps are not supported', () => {
  assert.is(codeOf({ 'X-Stamp-WebAuthn': '{}' }), 'UNSUPPORTED')
  assert.is(codeOf({ 'X-Stamp-Attested': '{}' }), 'UNSUPPORTED')
})

it('verifies a stamp by the verifier of its header, and by no other', async () => {
  let asked = 0
  const verify = verifyStamp({ verify: async () => (asked += 1) > 0 })
  const { stamp: found } = right(stampOf('submit')(texts({ 'X-Stamp': good })))
  const credential = { kind: 'api-key', curve: 'API_KEY_CURVE_P256' } as const
  for (const header of ['X-Stamp-WebAuthn', 'x-stamp', 'constructor', '__proto__', ''])
    assert.is(await verify(header, found, body, credential), false, header)
  assert.is(asked, 0)
  assert.is(await verify('X-Stamp', found, body, credential), true)
})

it('never throws, whatever the headers', () =>
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.string()), (entries) => {
      assert.type(codeOf(entries), 'string')
    }),
  ))

it.run()
