import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { simpleWebAuthn } from '../../../adapters/attestations/attestations.ts'
import { nodeDigest } from '../../../adapters/digest/node-digest.ts'
import { encodeBase64Url, encodeHex } from '../../../core/bytes.ts'
import type { Registration } from '../../../core/ports/attestations.ts'
import { coseKeyOf, vectors, type Vector } from '../../core/stamp/vectors.ts'

/** @see https://www.w3.org/TR/webauthn-3/#sctn-test-vectors */
const it = suite('attestations: examples of Web Authentication Level 3')

const { verify } = simpleWebAuthn({ digest: nodeDigest() })

const registrationOf = ({ registration }: Vector): Registration => ({
  challenge: encodeBase64Url(registration('challenge')),
  credentialId: encodeBase64Url(registration('credential_id')),
  clientDataJson: encodeBase64Url(registration('clientDataJSON')),
  attestationObject: encodeBase64Url(registration('attestationObject')),
  transports: ['AUTHENTICATOR_TRANSPORT_USB'],
})

/** Why an example is refused. */
const REFUSED: ReadonlyMap<string, RegExp> = new Map([
  ['none-es256-long-credential-id', /credential id .* longer than 256/],
  ['packed-es384', /algorithm -35;/],
  ['packed-es512', /algorithm -36;/],
  ['packed-eddsa', /algorithm -8;/],
  ['packed-ed448', /algorithm -53;/],
])

/** The format of an example: what its name begins with. */
const formatOf = (name: string): string => /^(?:none|packed|tpm|android-key|apple|fido-u2f)/.exec(name)?.[0] ?? ''

for (const vector of vectors()) {
  const { name, registration } = vector
  const reason = REFUSED.get(name)
  it(`${reason === undefined ? 'keeps' : 'refuses'} ${name}`, async () => {
    const attested = await verify(registrationOf(vector))
    if (reason !== undefined) {
      assert.is(attested._tag, 'Left')
      if (attested._tag === 'Left') assert.match(attested.left.message, reason)
      return
    }
    if (attested._tag === 'Left') throw new Error(attested.left.message)
    const { publicKey, aaguid, rpIdHash, topOrigin, crossOrigin, ...others } = attested.right
    assert.equal(others, {
      credentialId: encodeBase64Url(registration('credential_id')),
      algorithm: name.endsWith('rs256') ? 'RS256' : 'ES256',
      format: formatOf(name),
      origin: 'https://example.org',
      transports: ['AUTHENTICATOR_TRANSPORT_USB'],
    })
    assert.is(encodeHex(publicKey), encodeHex(coseKeyOf(vector)))
    assert.is(encodeHex(aaguid), encodeHex(registration('aaguid')))
    assert.is(encodeHex(rpIdHash), nodeDigest().sha256Hex('example.org'))
    assert.is(topOrigin, name.endsWith('topOrigin') ? 'https://example.com' : undefined)
    assert.is(crossOrigin, name.endsWith('Origin'))
  })
}

it('has an example for each format but that of a service that has ended', () => {
  const formats = new Set(vectors().map(({ name }) => formatOf(name)))
  if (formats.size > 0) assert.equal([...formats].sort(), ['android-key', 'apple', 'fido-u2f', 'none', 'packed', 'tpm'])
})

it.run()
