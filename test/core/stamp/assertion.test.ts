import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nobleSignatures } from '../../../adapters/signatures/noble-signatures.ts'
import { nodeSignatures } from '../../../adapters/signatures/node-signatures.ts'
import { encodeUtf8 } from '../../../core/bytes.ts'
import { verifyAssertion, type Assertion, type Expected } from '../../../core/stamp/assertion.ts'
import { decodeCoseKey } from '../../../core/stamp/cose-key.ts'
import { decodeClientData, isFromOrigins } from '../../../core/stamp/client-data.ts'
import { softwarePasskey, type AssertionOptions, type PasskeyAlgorithm } from '../world/software-passkey.ts'
import { right } from '../world/world.ts'
import { coseKeyOf, vectors } from './vectors.ts'

const it = suite('an assertion of a passkey')

const verifiers = [nodeSignatures(), nobleSignatures()]
const { sha256 } = nodeSignatures()
const rpIdHash = sha256(encodeUtf8('example.org'))
const challenge = encodeUtf8('a challenge')

/** Both verifiers say the same. */
const isValid = async (assertion: Assertion, expected: Expected): Promise<boolean> => {
  const [one, other] = await Promise.all(
    verifiers.map((signatures) => verifyAssertion(signatures)(assertion, expected)),
  )
  assert.is(one, other)
  return one === true
}

const expecting = (more: Partial<Expected> & Pick<Expected, 'publicKey'>): Expected => ({
  challenge,
  rpIdHash,
  ...more,
})

const supported = vectors().filter(({ name }) => name.includes('es256') || name.includes('rs256'))

for (const vector of supported)
  it(`of the standard verifies, and of no other passkey: ${vector.name}`, async () => {
    const assertion = {
      authenticatorData: vector.assertion('authenticatorData'),
      clientData: vector.assertion('clientDataJSON'),
      signature: vector.assertion('signature'),
    }
    const publicKey = right(decodeCoseKey(coseKeyOf(vector)))
    const expected = expecting({ publicKey, challenge: vector.assertion('challenge') })
    assert.is(await isValid(assertion, expected), true)
    assert.is(await isValid(assertion, { ...expected, challenge }), false)
    assert.is(await isValid(assertion, { ...expected, rpIdHash: sha256(challenge) }), false)
    const other = supported.find((one) => one !== vector)
    if (other === undefined) throw new Error('no other vector')
    assert.is(await isValid(assertion, { ...expected, publicKey: right(decodeCoseKey(coseKeyOf(other))) }), false)
  })

for (const algorithm of ['ES256', 'RS256'] satisfies readonly PasskeyAlgorithm[]) {
  const passkey = softwarePasskey({ algorithm, rpId: 'example.org' })
  const publicKey = right(decodeCoseKey(passkey.publicKey))
  const expected = expecting({ publicKey })

  it(`verifies as it was made, with a challenge in base64 once more, too: ${algorithm}`, async () => {
    assert.is(await isValid(passkey.assert(challenge), expected), true)
    const wrapped = encodeUtf8(Buffer.from(challenge).toString('base64'))
    assert.is(await isValid(passkey.assert(wrapped), expected), true)
    const thrice = encodeUtf8(Buffer.from(wrapped).toString('base64'))
    assert.is(await isValid(passkey.assert(thrice), expected), false)
  })

  it(`is refused with one flipped bit at any byte: ${algorithm}`, async () => {
    const made = passkey.assert(challenge)
    for (const member of ['authenticatorData', 'clientData', 'signature'] as const)
      for (let at = 0; at < made[member].length; at += 1) {
        const bytes = new Uint8Array(made[member])
        bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8))
        assert.is(
          await verifyAssertion(nodeSignatures())({ ...made, [member]: bytes }, expected),
          false,
          `${member} ${at}`,
        )
      }
  })

  const wrong: readonly (readonly [string, Assertion])[] = [
    ['of another ceremony', passkey.assert(challenge, { type: 'webauthn.create' })],
    ['without a user', passkey.assert(challenge, { flags: 0 })],
    ['with a cut-off counter', passkey.assert(challenge, { cut: 1 })],
    ['with more than its flags say', passkey.assert(challenge, { behind: Uint8Array.of(0xa0) })],
    ['for another relying party', passkey.assert(challenge, { rpId: 'example.com' })],
    [
      'with a doubled member',
      passkey.assert(challenge, { clientText: (text) => text.replace('{', '{"type":"webauthn.get",') }),
    ],
    [
      'with a challenge that is no base64',
      passkey.assert(challenge, { clientText: (text) => text.replace('"challenge":"', '"challenge":"!') }),
    ],
    ['with an empty signature', { ...passkey.assert(challenge), signature: new Uint8Array() }],
  ]
  for (const [name, assertion] of wrong)
    it(`is refused ${name}: ${algorithm}`, async () => assert.is(await isValid(assertion, expected), false))

  it(`may announce extensions: ${algorithm}`, async () =>
    assert.is(await isValid(passkey.assert(challenge, { flags: 0x81, behind: Uint8Array.of(0xa0) }), expected), true))
}

it('is from the origins that are allowed, in the page and around its frame', () => {
  const passkey = softwarePasskey({ algorithm: 'ES256', rpId: 'example.org' })
  const from = (options: AssertionOptions, origins?: readonly string[]): boolean => {
    const client = decodeClientData(passkey.assert(challenge, options).clientData)
    return client !== undefined && isFromOrigins(client, origins && new Set(origins))
  }
  const [own, evil] = ['https://example.org', 'https://evil.example']
  assert.equal([from({}), from({ origin: evil }), from({ crossOrigin: true })], [true, true, true])
  assert.equal([from({}, [own]), from({ origin: evil }, [own]), from({}, [])], [true, false, false])
  assert.is(from({ crossOrigin: true }, [own]), false)
  const framed = (topOrigin: string) => from({ crossOrigin: true, topOrigin }, [own])
  assert.equal([framed(own), framed(evil)], [true, false])
  assert.is(from({ topOrigin: evil }, [own]), false)
})

it.run()
