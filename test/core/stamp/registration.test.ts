import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeDigest } from '../../../adapters/digest/node-digest.ts'
import { decodeBase64, encodeBase64, encodeBase64Url, encodeUtf8, equal } from '../../../core/bytes.ts'
import type { Registration } from '../../../core/ports/attestations.ts'
import type { CborValue } from '../../../core/stamp/cbor.ts'
import { readRegistration } from '../../../core/stamp/registration.ts'
import { encodeCbor } from '../world/encode-cbor.ts'
import { softwarePasskey, type RegistrationOptions } from '../world/software-passkey.ts'
import { right } from '../world/world.ts'

const it = suite('the registration of a passkey')

const read = readRegistration(nodeDigest().sha256)
const passkey = softwarePasskey({ algorithm: 'ES256', rpId: 'example.org' })
const challenge = Uint8Array.of(0xfb, 0xff, 0xbf, 0x01) // has both letters in which the alphabets differ, and padding

const register = (options?: RegistrationOptions): Registration => passkey.register(challenge, options)

const refused = (registration: Registration, reason: RegExp): void => {
  const answer = read(registration)
  if (answer._tag === 'Right') throw new Error(`it was read, but ${reason} was expected`)
  assert.is(answer.left.code, 'REQUEST_INVALID')
  assert.match(answer.left.message, reason)
}

it('keeps what the authenticator and the browser say', () => {
  const aaguid = new Uint8Array(16).fill(7)
  const { kept } = right(read(register({ aaguid, topOrigin: 'https://top.example', crossOrigin: true })))
  assert.equal(kept, {
    credentialId: encodeBase64Url(passkey.credentialId),
    publicKey: passkey.publicKey,
    algorithm: 'ES256',
    aaguid,
    transports: ['AUTHENTICATOR_TRANSPORT_INTERNAL'],
    rpIdHash: nodeDigest().sha256(encodeUtf8('example.org')),
    origin: 'https://example.org',
    crossOrigin: true,
    topOrigin: 'https://top.example',
  })
})

it('keeps a passkey of RSA', () => {
  const rsa = softwarePasskey({ algorithm: 'RS256', rpId: 'localhost' })
  const { kept } = right(read(rsa.register(challenge, { origin: 'http://localhost:8080' })))
  assert.is(kept.algorithm, 'RS256')
  assert.equal(kept.publicKey, rsa.publicKey)
})

it('takes texts in base64, too, and spells the credential id in one way', () => {
  const { kept } = right(read(register()))
  const texts = register()
  const other = (text: string): string => encodeBase64(decodeBase64(text) ?? new Uint8Array())
  const spelled = {
    ...texts,
    challenge: other(texts.challenge),
    credentialId: other(texts.credentialId),
    clientDataJson: other(texts.clientDataJson),
    attestationObject: other(texts.attestationObject),
  }
  assert.is.not(spelled.challenge, texts.challenge)
  assert.equal(right(read(spelled)).kept, kept)
})

it('refuses another type', () =>
  refused(register({ type: 'webauthn.get' }), /client data of the passkey is not of the type webauthn.create/))

it('refuses another challenge', () => {
  refused(register({ request: { challenge: 'AAAA' } }), /challenge in the client data .* not the one of the request/)
  refused(register({ request: { challenge: `${encodeBase64Url(challenge)}A` } }), /challenge in the client data/)
  refused(register({ clientText: (text) => text.replace(encodeBase64Url(challenge), '') }), /challenge in the client/)
})

it('refuses no challenge, and one of more than 256 characters', () => {
  refused(passkey.register(new Uint8Array()), /challenge of the passkey is empty/)
  right(read(passkey.register(new Uint8Array(192))))
  refused(passkey.register(new Uint8Array(193)), /longer than 256 characters/)
})

it('refuses a credential id that is not the attested one, not base64, empty, or too long', () => {
  const other = softwarePasskey({ algorithm: 'ES256', rpId: 'example.org' })
  const id = (credentialId: string) => register({ request: { credentialId } })
  refused(id(encodeBase64Url(other.credentialId)), /credential id of the passkey is not the attested one/)
  refused(id(encodeBase64Url(passkey.credentialId.subarray(1))), /is not the attested one/)
  refused(id('é'), /credential id of the passkey cannot be read/)
  refused(id(''), /credential id of the passkey cannot be read/)
  refused(id('A'.repeat(257)), /longer than 256 characters/)
  refused(id('A'.repeat(256)), /is not the attested one/)
})

it('refuses it if no user was present', () => refused(register({ flags: 0x40 }), /a user was present/))

it('takes the host of the origin as the id of the relying party, or a suffix at a dot', () => {
  for (const origin of ['https://example.org', 'https://a.b.example.org:8443', 'http://example.org:80'])
    assert.is(right(read(register({ origin }))).kept.origin, origin)
  right(read(register({ origin: 'http://[::1]:80', rpId: '[::1]' })))
})

for (const origin of ['https://example.com', 'https://badexample.org', 'https://example.org.com', 'https://org'])
  it(`refuses example.org as the relying party at ${origin}`, () =>
    refused(register({ origin }), /neither the host of the origin nor a suffix/))

for (const origin of ['', 'null', 'example.org', 'https://', 'https://example.org/', 'https://a@example.org'])
  it(`refuses an origin without a host: ${origin}`, () => refused(register({ origin }), /origin .* has no host/))

it('refuses a host that is longer than hosts may be', () =>
  refused(register({ origin: `https://${'a.'.repeat(130)}example.org` }), /has no host/))

it('does not compare the relying party of an app, which has no host', () => {
  const origin = 'android:apk-key-hash:pNiP5iKyQ8JwgGOaKA1zGPUPJIS-0H1xKCQcfIoGLck'
  assert.is(right(read(register({ origin }))).kept.origin, origin)
})

it('refuses client data that cannot be read', () => {
  for (const clientText of [(text: string) => text.slice(1), (text: string) => text.replace('{', '{"type":"a",')])
    refused(register({ clientText }), /client data of the passkey cannot be read/)
  refused(register({ request: { clientDataJson: 'é' } }), /client data of the passkey cannot be read/)
})

it('reads extensions of the authenticator to their last byte', () => {
  const extensions = encodeCbor(new Map([['credProtect', 2]]))
  const { attested } = right(read(register({ flags: 0xc1, behind: extensions })))
  assert.ok(equal(attested.publicKey, passkey.publicKey))
  for (const [flags, behind] of [
    [0xc1, undefined],
    [0x41, extensions],
    [0xc1, new Uint8Array([...extensions, 0])],
    [0xc1, Uint8Array.of(0x01)],
    [0x01, undefined],
  ] as const)
    refused(register({ flags, ...(behind === undefined ? {} : { behind }) }), /attestation object .* cannot be read/)
})

it('refuses an attestation object that is cut anywhere, or has something behind it', () => {
  const registration = register()
  const object = decodeBase64(registration.attestationObject) ?? new Uint8Array()
  const withObject = (bytes: Uint8Array) => ({ ...registration, attestationObject: encodeBase64Url(bytes) })
  for (let length = 0; length < object.length; length += 1)
    refused(withObject(object.subarray(0, length)), /attestation object of the passkey cannot be read/)
  refused(withObject(new Uint8Array([...object, 0])), /attestation object of the passkey cannot be read/)
})

it('ignores other members of an attestation object, as of client data', () => {
  const registration = register({ clientText: (text) => text.replace('{', '{"other":[1],') })
  const { format, statement, authenticatorData } = right(read(registration)).object
  const members = new Map<string, CborValue>([
    ['fmt', format],
    ['attStmt', statement],
    ['authData', authenticatorData],
    ['other', [true, null]],
  ])
  const longer = { ...registration, attestationObject: encodeBase64Url(encodeCbor(members)) }
  assert.equal(right(read(longer)).kept, right(read(registration)).kept)
})

it('refuses authenticator data that are cut anywhere', () => {
  const registration = register()
  const { authenticatorData } = right(read(registration)).object
  for (let length = 0; length < authenticatorData.length; length += 1) {
    const members = new Map<string, string | Map<string, string> | Uint8Array>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authenticatorData.subarray(0, length)],
    ])
    refused({ ...registration, attestationObject: encodeBase64Url(encodeCbor(members)) }, /cannot be read/)
  }
})

it.run()
