import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeUtf8 } from '../../../core/bytes.ts'
import { E } from '../../../core/prelude.ts'
import { nodeSignatures } from '../../../adapters/signatures/node-signatures.ts'
import { kindIn } from '../../../core/organization/credential.ts'
import { nameOf } from '../../../core/organization/credentials.ts'
import { STAMP_HEADERS } from '../../../core/request.ts'
import { softwarePasskey } from '../world/software-passkey.ts'
import { stampOf, verifyStamp, type StampTexts } from '../../../core/organization/stamp.ts'
import { generateKey, stamp } from '../../../adapters/signatures/signer.ts'
import { right } from '../world/world.ts'

const it = suite('stamp')

const key = generateKey('API_KEY_CURVE_P256')
const body = encodeUtf8('{}')
const good = stamp(key, body)
const texts = (entries: { readonly [header: string]: string }): StampTexts =>
  new Map(Object.entries(entries)) as StampTexts // any names: what is no header of a stamp must do no harm
const codeOf = (entries: { readonly [header: string]: string }): string => {
  const found = stampOf('submit')(texts(entries))
  return E.isLeft(found) ? found.left.code : 'accepted'
}

it('finds the one stamp of a request, with its header and its text', () => {
  const { header, text, stamp: found } = right(stampOf('submit')(texts({ 'X-Stamp': good })))
  assert.equal([header, text, nameOf(found)], ['X-Stamp', good, { kind: 'api-key', name: key.publicKey }])
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

it('knows a header for each kind of credential, and a kind for no two headers', () => {
  const kinds = STAMP_HEADERS.map((header) => kindIn(header)?.kind)
  assert.equal(kinds, ['api-key', 'passkey', 'attested'])
})

it('verifies a stamp of either kind, and never by a credential of the other', async () => {
  const verify = verifyStamp(nodeSignatures())
  const passkey = softwarePasskey({ algorithm: 'ES256', rpId: 'example.org' })
  const stamps = [
    right(stampOf('submit')(texts({ 'X-Stamp': good }))).stamp,
    right(stampOf('submit')(texts({ 'X-Stamp-WebAuthn': passkey.stamp(body) }))).stamp,
  ]
  const credentials = [
    { kind: 'api-key', publicKey: key.publicKey, curve: 'API_KEY_CURVE_P256' },
    { kind: 'passkey', ...passkey.registered },
  ] as const
  for (const [of, stamp] of stamps.entries())
    for (const [by, credential] of credentials.entries()) {
      assert.is(await verify(stamp, body, credential), of === by)
      assert.is(await verify(stamp, encodeUtf8('another body'), credential), false)
    }
})

it('never throws, whatever the headers', () =>
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.string()), (entries) => {
      assert.type(codeOf(entries), 'string')
    }),
  ))

it.run()
