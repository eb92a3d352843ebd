import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeUtf8 } from '../../../core/bytes.ts'
import { isForPublicSuffix } from '../../../core/stamp/public-suffix.ts'
import { softwarePasskey } from '../world/software-passkey.ts'

const it = suite('public suffixes')

const isSuffix = (rpId: string, origin: string): boolean =>
  isForPublicSuffix(softwarePasskey({ algorithm: 'ES256', rpId }).register(encodeUtf8('a challenge'), { origin }))

for (const [rpId, origin, expected] of [
  ['com', 'https://example.com', true],
  ['co.uk', 'https://app.example.co.uk:8443', true],
  ['uk', 'https://example.co.uk', true],
  ['github.io', 'https://ada.github.io', true],
  ['github.io', 'https://github.io', true],
  ['ck', 'https://example.com.ck', true],
  ['com.ck', 'https://example.com.ck', true], // the list has `*.ck`
  ['xn--p1ai', 'https://example.xn--p1ai', true],
  ['example.com', 'https://app.example.com', false],
  ['example.co.uk', 'https://example.co.uk', false],
  ['ada.github.io', 'https://ada.github.io', false],
  ['www.ck', 'https://www.ck', false], // the list has `!www.ck`
  ['localhost', 'http://localhost:3000', false],
  ['localhost', 'http://app.localhost', false],
  ['intranet', 'https://intranet', false],
  ['127.0.0.1', 'http://127.0.0.1', false],
  ['[::1]', 'http://[::1]:80', false],
  ['com', 'android:apk-key-hash:abc', false], // its origin has no host to compare with
] as const)
  it(`${expected ? 'are' : 'are not'}: ${rpId} at ${origin}`, () => assert.is(isSuffix(rpId, origin), expected))

it('are not looked for in what cannot be read', () => {
  const whole = softwarePasskey({ algorithm: 'ES256', rpId: 'com' }).register(encodeUtf8('a challenge'))
  assert.is(isForPublicSuffix({ ...whole, attestationObject: 'oA' }), false)
  fc.assert(fc.property(fc.string(), fc.string(), (clientDataJson, attestationObject) =>
    !isForPublicSuffix({ clientDataJson, attestationObject }),
  )) // prettier-ignore
})

it.run()
