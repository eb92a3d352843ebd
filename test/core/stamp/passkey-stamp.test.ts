import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeBase64, encodeBase64Url, encodeUtf8 } from '../../../core/bytes.ts'
import { parsePasskeyStamp } from '../../../core/stamp/passkey-stamp.ts'
import { softwarePasskey } from '../world/software-passkey.ts'
import { codeOf, right } from '../world/world.ts'

const it = suite('the stamp of a passkey')

const passkey = softwarePasskey({ algorithm: 'ES256', rpId: 'example.org' })
const text = passkey.stamp(encodeUtf8('{}'))
const members = JSON.parse(text) as { readonly [name: string]: string }

it('is read from both alphabets of base64, with the one spelling of the id', () => {
  const stamp = right(parsePasskeyStamp(text))
  assert.equal([stamp.kind, stamp.webauthnId], ['passkey', encodeBase64Url(passkey.credentialId)])
  const padded = Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, encodeBase64(Buffer.from(value, 'base64url'))]),
  )
  assert.equal(right(parsePasskeyStamp(JSON.stringify({ ...padded, more: 1 }))), stamp)
})

it('is refused where a member is missing, empty, no text, no base64 or there twice', () => {
  for (const name of Object.keys(members))
    for (const value of [undefined, null, 1, 'é', 'a', ...(name === 'credentialId' ? [''] : [])])
      assert.is(codeOf(parsePasskeyStamp(JSON.stringify({ ...members, [name]: value }))), 'UNAUTHENTICATED', name)
  assert.is(codeOf(parsePasskeyStamp(text.replace('{', '{"signature":"AA",'))), 'UNAUTHENTICATED')
  for (const other of ['', 'null', '[]', `${text} x`, encodeBase64Url(encodeUtf8(text)), ' '.repeat(20_000)])
    assert.is(codeOf(parsePasskeyStamp(other)), 'UNAUTHENTICATED')
})

it('never throws, whatever the header says', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(text.length), fc.string({ unit: 'grapheme' }), (noise, at, more) => {
      parsePasskeyStamp(noise)
      parsePasskeyStamp(text.slice(0, at) + more + text.slice(at + more.length))
      return true
    }),
    { numRuns: 1_000 },
  )
})

it.run()
