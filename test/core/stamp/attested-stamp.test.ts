import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeSignatures } from '../../../adapters/signatures/node-signatures.ts'
import { generateKey, stamp as stampBy } from '../../../adapters/signatures/signer.ts'
import { encodeUtf8 } from '../../../core/bytes.ts'
import { parseAttestedStamp, verifyAttestedStamp } from '../../../core/stamp/attested-stamp.ts'
import { codeOf, right } from '../world/world.ts'

const it = suite('attested stamps')

const body = encodeUtf8('{"a":1}')
const key = generateKey('API_KEY_CURVE_P256')
const { signature } = JSON.parse(Buffer.from(stampBy(key, body), 'base64url').toString()) as {
  readonly signature: string
}
const members = {
  publicKeyAttestation: 'a.b.c',
  scheme: 'STAMP_ATTESTED_SCHEME_P256_OIDC',
  publicKey: key.publicKey,
  signature,
}
const base64 = (text: string): string => Buffer.from(text).toString('base64url')

it('are read as JSON, plain or in base64url, with the key as it was sent', async () => {
  const upper = { ...members, publicKey: key.publicKey.toUpperCase() }
  for (const text of [JSON.stringify(upper), ` ${JSON.stringify(upper, null, 1)}`, base64(JSON.stringify(upper))]) {
    const read = right(parseAttestedStamp(text))
    assert.is(read.proof, 'identity')
    assert.is(read.publicKey, key.publicKey)
    assert.is(read.publicKeyText, upper.publicKey)
    assert.is(read.token, 'a.b.c')
    assert.ok(await verifyAttestedStamp(nodeSignatures())(read, body))
    assert.not.ok(await verifyAttestedStamp(nodeSignatures())(read, encodeUtf8('{"a":2}')))
  }
  const contact = { ...members, scheme: 'STAMP_ATTESTED_SCHEME_P256_VERIFICATION_TOKEN' }
  assert.is(right(parseAttestedStamp(JSON.stringify(contact))).proof, 'contact')
})

it('are refused with anything else', () => {
  const wrong: readonly object[] = [
    {},
    { ...members, scheme: 'SIGNATURE_SCHEME_TK_API_P256' },
    { ...members, scheme: 'toString' },
    { ...members, publicKey: '02' },
    { ...members, signature: 'xy' },
    { ...members, publicKeyAttestation: undefined },
    { ...members, publicKeyAttestation: 1 },
  ]
  const texts = ['', '[]', '{', 'null', base64('null'), ...wrong.map((one) => JSON.stringify(one))]
  const twice = JSON.stringify(members).replace('{', '{"scheme":"STAMP_ATTESTED_SCHEME_P256_OIDC",')
  for (const text of [...texts, twice, base64(JSON.stringify({ ...members, more: 'x'.repeat(32_768) }))])
    assert.is(codeOf(parseAttestedStamp(text)), 'UNAUTHENTICATED', text.slice(0, 80))
})

it.run()
