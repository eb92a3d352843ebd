import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeBase64, encodeBase64Url, encodeHex, encodeUtf8 } from '../../../core/bytes.ts'
import { E } from '../../../core/prelude.ts'
import { parseApiKeyStamp, verifyApiKeyStamp, type ApiKeyStamp } from '../../../core/stamp/api-key-stamp.ts'

const it = suite('stamp of an API key')

const P256 = 'SIGNATURE_SCHEME_TK_API_P256'
const publicKey = '0327a50032e6f0631d5605b6ada32b779074f346e81b68e12801640f1c9ee03dae'
const offCurve = `04${publicKey.slice(2)}${'00'.repeat(32)}`
const signature =
  '304402203623defd618eb3e219970496407ebe92447317dad75e412bd4a6267c3b5e22230220245b740848a72d08b60d6c84f339737b63db3bcbadb3bd0dcb1bfb865715d8b5'
const fields = { publicKey, scheme: P256, signature }

const headerOf = (json: unknown): string =>
  encodeBase64Url(encodeUtf8(typeof json === 'string' ? json : JSON.stringify(json)))
const standard = (base64Url: string): string => base64Url.replaceAll('-', '+').replaceAll('_', '/')
const messageOf = (header: string): string => {
  const parsed = parseApiKeyStamp(header)
  return E.isLeft(parsed) ? `${parsed.left.code}: ${parsed.left.message}` : 'accepted'
}
const stampIn = (header: string): ApiKeyStamp => {
  const parsed = parseApiKeyStamp(header)
  if (E.isLeft(parsed)) throw new Error(parsed.left.message)
  return parsed.right
}

it('reads scheme, key and signature', () => {
  const stamp = stampIn(headerOf(fields))
  assert.is(stamp.scheme, P256)
  assert.is(stamp.publicKey, publicKey)
  assert.is(encodeHex(stamp.signature), signature)
})

for (const [header, why] of [
  [headerOf({ signature, scheme: P256, publicKey }), 'members in another order'],
  [headerOf(JSON.stringify(fields, null, 2)), 'white space in the JSON'],
  [headerOf({ ...fields, extra: [{ a: 1 }] }), 'members that it does not know'],
  [encodeBase64(encodeUtf8(`${JSON.stringify(fields)} `)), 'base64 with padding'],
  [standard(headerOf({ ...fields, extra: '~~~???' })), 'base64 of the standard alphabet'],
  [headerOf({ ...fields, publicKey: publicKey.toUpperCase() }), 'a key in upper-case hex'],
  [headerOf({ ...fields, signature: signature.toUpperCase() }), 'a signature in upper-case hex'],
] as const)
  it(`accepts ${why}, and reads the same stamp`, () => assert.equal(stampIn(header), stampIn(headerOf(fields))))

it('reads what stands in its usual form as it reads any other', () => {
  const piece = fc.oneof(
    fc.constantFrom(publicKey, P256, signature, publicKey.toUpperCase(), '', '"', '\\u0033', '"}', ' ', 'é', '00'),
    fc.string({ unit: fc.constantFrom(...'0aF"\\},:'), maxLength: 3 }),
  )
  fc.assert(
    fc.property(piece, piece, piece, (key, scheme, hex) => {
      const json = `{"publicKey":"${key}","scheme":"${scheme}","signature":"${hex}"}`
      const usual = parseApiKeyStamp(headerOf(json))
      assert.equal(usual, parseApiKeyStamp(headerOf(`${json} `)))
    }),
    { numRuns: 2000 },
  )
})

const UNREADABLE = 'UNAUTHENTICATED: could not extract api key stamp'
for (const [header, why] of [
  ['', 'an empty header'],
  [JSON.stringify(fields), 'JSON that is not encoded'],
  [`${headerOf(fields)}, ${headerOf(fields)}`, 'two headers that were joined'],
  [`${headerOf(fields)} `, 'a space behind the stamp'],
  [headerOf('{"publicKey":'), 'JSON that breaks off'],
  [headerOf(JSON.stringify(fields).slice(0, -2)), 'JSON that breaks off behind the signature'],
  [headerOf(`${JSON.stringify(fields).slice(0, -2)}']`), 'JSON that ends otherwise'],
  [headerOf(`${JSON.stringify(fields)}x`), 'JSON with something behind it'],
  [headerOf(`\ufeff${JSON.stringify(fields)}`), 'a byte order mark'],
  [headerOf(`{"publicKey":"00",${JSON.stringify(fields).slice(1)}`), 'two members of the same name'],
  [headerOf(`{"\\u0070ublicKey":"00",${JSON.stringify(fields).slice(1)}`), 'two members of the same name, one escaped'],
  [encodeBase64Url(Uint8Array.of(0x22, 0xff, 0x22)), 'bytes that are not UTF-8'],
  [headerOf({ ...fields, extra: 'x'.repeat(4096) }), 'a header beyond all measure'],
] as const)
  it(`cannot read ${why}`, () => assert.is(messageOf(header), UNREADABLE))

const MALFORMED = 'UNAUTHENTICATED: malformed activity stamp'
for (const [json, why] of [
  [null, 'null'],
  ['"x"', 'a string'],
  [[publicKey, P256, signature], 'an array'],
  [{}, 'no members'],
  [{ publicKey, signature }, 'no scheme'],
  [{ scheme: P256, signature }, 'no key'],
  [{ scheme: P256, publicKey }, 'no signature'],
  [{ PublicKey: publicKey, scheme: P256, signature }, 'a key under a name that is spelled otherwise'],
  [{ publicKey, Scheme: P256, signature }, 'a scheme under a name that is spelled otherwise'],
  [{ publicKey, scheme: P256, Signature: signature }, 'a signature under a name that is spelled otherwise'],
  [{ ...fields, publicKey: 3 }, 'a key that is a number'],
  [{ ...fields, signature: null }, 'a signature that is null'],
  [{ ...fields, scheme: 'SIGNATURE_SCHEME_TK_API_P384' }, 'an unknown scheme'],
  [{ ...fields, scheme: 'SIGNATURE_SCHEME_TK_WEBAUTHN' }, 'a scheme that the header does not carry'],
  [{ ...fields, scheme: 'constructor' }, 'a scheme by a name that every object has'],
  [{ ...fields, publicKey: publicKey.slice(1) }, 'a key with an odd number of digits'],
  [{ ...fields, publicKey: `${publicKey}00` }, 'a key that is too long'],
  [{ ...fields, publicKey: offCurve }, 'an uncompressed key off the curve'],
  [{ ...fields, publicKey: '' }, 'an empty key'],
  [{ ...fields, signature: signature.slice(1) }, 'a signature with an odd number of digits'],
  [{ ...fields, signature: `${signature}zz` }, 'a signature with other characters behind it'],
  [{ ...fields, scheme: 'SIGNATURE_SCHEME_TK_API_ED25519' }, 'a key that does not fit the scheme'],
] as const)
  it(`calls a stamp malformed that has ${why}`, () => assert.is(messageOf(headerOf(json)), MALFORMED))

it('does not ask the verifier about a scheme that does not fit the curve of the credential', async () => {
  let asked = 0
  const verify = verifyApiKeyStamp({ verify: async () => (asked += 1) > 0 })
  const stamp = stampIn(headerOf(fields))
  assert.is(await verify(stamp, encodeUtf8('{}'), 'API_KEY_CURVE_SECP256K1'), false)
  assert.is(asked, 0)
  assert.is(await verify(stamp, encodeUtf8('{}'), 'API_KEY_CURVE_P256'), true)
})

it('never throws, whatever the header', () =>
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.base64String(),
        fc.json().map(headerOf),
        fc.uint8Array().map(encodeBase64Url),
        almostStamp(),
      ),
      (header) => {
        const parsed = parseApiKeyStamp(header)
        if (E.isLeft(parsed)) assert.is(parsed.left.code, 'UNAUTHENTICATED')
      },
    ),
    { numRuns: 3000 },
  ))

const almostStamp = (): fc.Arbitrary<string> =>
  fc
    .record({
      scheme: fc.oneof(fc.constant(P256), fc.string(), fc.anything()),
      publicKey: fc.oneof(
        fc.constant(publicKey),
        fc.uint8Array({ minLength: 65, maxLength: 65 }).map((b) => `04${encodeHex(b).slice(2)}`),
      ),
      signature: fc.oneof(fc.constant(signature), fc.string()),
    })
    .map((stamp) => headerOf(JSON.stringify(stamp, (_, value: unknown) => (typeof value === 'bigint' ? 0 : value))))

it.run()
