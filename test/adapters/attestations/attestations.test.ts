import type { ServerResponse } from 'node:http'
import { SettingsService } from '@simplewebauthn/server'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { simpleWebAuthn } from '../../../adapters/attestations/attestations.ts'
import { nodeDigest } from '../../../adapters/digest/node-digest.ts'
import { concat, encodeUtf8 } from '../../../core/bytes.ts'
import type { CborValue } from '../../../core/stamp/cbor.ts'
import { bytesOfHex, der, selfMadeCertificate } from '../../certificate.ts'
import { softwarePasskey, type PasskeyAlgorithm, type RegistrationOptions } from '../../core/world/software-passkey.ts'
import { MAKER, packed, packedBy, stating } from '../../core/world/statements.ts'
import { right } from '../../core/world/world.ts'
import { hosting } from '../http/transport.ts'

const it = suite('attestations')

const { verify } = simpleWebAuthn({ digest: nodeDigest() })
const passkeys = {
  ES256: softwarePasskey({ algorithm: 'ES256', rpId: 'example.org' }),
  RS256: softwarePasskey({ algorithm: 'RS256', rpId: 'example.org' }),
}
const challenge = encodeUtf8('a challenge')
const aaguid = new Uint8Array(16).fill(7)

const keeps = async (options: RegistrationOptions, algorithm: PasskeyAlgorithm = 'ES256') =>
  right(await verify(passkeys[algorithm].register(challenge, { aaguid, ...options })))

const refuses = async (options: RegistrationOptions, reason: RegExp): Promise<void> => {
  const answer = await verify(passkeys.ES256.register(challenge, { aaguid, ...options }))
  if (answer._tag === 'Right') throw new Error(`it was kept, but ${reason} was expected`)
  assert.is(answer.left.code, 'REQUEST_INVALID')
  assert.match(answer.left.message, reason)
}

const MODEL = bytesOfHex('060b2b0601040182e51c010104')

for (const algorithm of ['ES256', 'RS256'] as const)
  it(`keeps a passkey that nothing vouches for, and one that vouches for itself: ${algorithm}`, async () => {
    for (const [statement, format] of [
      ['none', 'none'],
      ['self', 'packed'],
    ] as const) {
      const kept = await keeps({ statement }, algorithm)
      assert.is(kept.format, format)
      assert.is(kept.algorithm, algorithm)
      assert.equal(kept.aaguid, aaguid)
      assert.equal(kept.publicKey, passkeys[algorithm].publicKey)
    }
  })

it('says what is wrong with the registration first', async () => {
  await refuses({ type: 'webauthn.get', statement: 'self' }, /not of the type webauthn.create/)
})

it('refuses a statement of the format none that says something', () =>
  refuses({ statement: stating('none', () => ({ alg: -7 })) }, /format none, is not empty/))

it('refuses a format that it does not know', async () => {
  for (const format of ['', 'compound', 'NONE', 'toString'])
    await refuses(
      { statement: stating(format, () => ({})) },
      /format that is not known; expected none or one of packed/,
    )
})

it('refuses a passkey that vouches for itself with another algorithm or key', async () => {
  const self = (alg: CborValue, sig?: CborValue) =>
    stating('packed', ({ authenticatorData, clientDataHash, sign }) => ({
      alg,
      sig: sig ?? sign(concat([authenticatorData, clientDataHash])),
    }))
  assert.is((await keeps({ statement: self(-7) })).format, 'packed')
  await refuses({ statement: self(-257) }, /format packed, has another algorithm than the passkey/)
  await refuses({ statement: self('-7') }, /has no algorithm, or no signature/)
  await refuses({ statement: self(-7, 'text') }, /has no algorithm, or no signature/)
  await refuses({ statement: self(-7, new Uint8Array(70)) }, /has a signature that does not verify/)
  const { sign } = selfMadeCertificate({ subject: [] })
  const byOther = stating('packed', (toAttest) => ({ alg: -7, sig: sign(toAttest.authenticatorData) }))
  await refuses({ statement: byOther }, /has a signature that does not verify/)
})

it('keeps what a certificate of a maker vouches for, of either kind of key', async () => {
  assert.is((await keeps({ statement: packed() })).format, 'packed')
  await keeps({ statement: packed({ type: 'rsa' }, { alg: -257 }) })
  await keeps({ statement: packed({ extensions: [[MODEL, der(0x04, aaguid)]] }) })
})

it('refuses a certificate that is not in the form of a maker', async () => {
  const notOne = /format packed, has a certificate that is not one of a maker/
  for (let left = 0; left < MAKER.length; left += 1)
    await refuses({ statement: packed({ subject: MAKER.filter((_, i) => i !== left) }) }, notOne)
  await refuses({ statement: packed({ version: 1 }) }, notOne)
  const authority = [bytesOfHex('0603551d13'), bytesOfHex('30030101ff')] as const
  await refuses({ statement: packed({ extensions: [authority] }) }, notOne)
  const otherModel = [MODEL, der(0x04, new Uint8Array(16))] as const
  await refuses({ statement: packed({ extensions: [otherModel] }) }, /has a certificate for another model/)
})

it('refuses what is no certificate, and another algorithm than that of its key', async () => {
  const { bytes } = selfMadeCertificate({ subject: MAKER })
  const tooLong = new Uint8Array([...bytes, ...new Uint8Array(4096)])
  for (const x5c of [[], [null], ['text'], [new Uint8Array()], [bytes.subarray(1)], [tooLong], new Map(), null])
    await refuses({ statement: packed({}, { x5c }) }, /has no certificate that can be read/)
  for (const alg of [-257, -8, -48, 0]) await refuses({ statement: packed({}, { alg }) }, /does not verify/)
})

it('gives the same answer whether the certificate has expired, or is not valid yet', async () => {
  await keeps({ statement: packed({ from: '000101000000Z', to: '010101000000Z' }) })
  await keeps({ statement: packed({ from: '480101000000Z', to: '490101000000Z' }) })
})

it('gives the same answer whatever the host sets for the library', async () => {
  const statement = packed()
  const others = [selfMadeCertificate({ subject: MAKER }).bytes]
  SettingsService.setRootCertificates({ identifier: 'packed', certificates: others.map((one) => new Uint8Array(one)) })
  try {
    await keeps({ statement })
  } finally {
    SettingsService.setRootCertificates({ identifier: 'packed', certificates: [] })
  }
})

it('never asks the address that a certificate names for its revocation', async () => {
  let asked = 0
  const counted = (_: unknown, response: ServerResponse): void => {
    asked += 1
    response.end()
  }
  await hosting(counted, async (url) => {
    const points = der(0x30, der(0x30, der(0xa0, der(0xa0, der(0x86, encodeUtf8(`${url}/list`))))))
    const certificate = selfMadeCertificate({ subject: MAKER, extensions: [[bytesOfHex('0603551d1f'), points]] })
    await keeps({ statement: packedBy(certificate, { x5c: [certificate.bytes, certificate.bytes] }) })
    assert.is(asked, 0)
  })
})

it('keeps a security key that is older than passkeys', async () => {
  const { bytes, sign } = selfMadeCertificate({ subject: [] })
  const signing = (reserved: number) =>
    stating('fido-u2f', ({ authenticatorData, clientDataHash }) => {
      const [rpIdHash, id] = [authenticatorData.subarray(0, 32), passkeys.ES256.credentialId]
      const cose = passkeys.ES256.publicKey
      const point = concat([Uint8Array.of(4), cose.subarray(10, 42), cose.subarray(45)])
      return { x5c: [bytes], sig: sign(concat([Uint8Array.of(reserved), rpIdHash, clientDataHash, id, point])) }
    })
  assert.is((await keeps({ statement: signing(0) })).format, 'fido-u2f')
  await refuses({ statement: signing(1) }, /format fido-u2f, has a signature that does not verify/)
})

const safetyNet = ({
  name = 'attest.android.com',
  claims = {},
  head = {},
  ver = '1',
}: { readonly name?: string; readonly claims?: object; readonly head?: object; readonly ver?: string } = {}) => {
  // prettier-ignore
  const { bytes, sign } = selfMadeCertificate({ type: 'rsa', subject: [[3, name]] })
  return stating('android-safetynet', ({ authenticatorData, clientDataHash }) => {
    const nonce = Buffer.from(nodeDigest().sha256(concat([authenticatorData, clientDataHash]))).toString('base64')
    const encoded = (json: object): string => Buffer.from(JSON.stringify(json)).toString('base64url')
    const header = { alg: 'RS256', x5c: [Buffer.from(bytes).toString('base64')], ...head }
    const payload = { nonce, ctsProfileMatch: true, timestampMs: 1_500_000_000_000, ...claims }
    const text = `${encoded(header)}.${encoded(payload)}`
    return { ver, response: encodeUtf8(`${text}.${Buffer.from(sign(encodeUtf8(text))).toString('base64url')}`) }
  })
}

it('keeps an answer of the service of Android, also years later', async () => {
  assert.is((await keeps({ statement: safetyNet() })).format, 'android-safetynet')
  await refuses({ statement: safetyNet({ name: 'attest.example.org' }) }, /not one of the service/)
  await refuses({ statement: safetyNet({ claims: { nonce: 'AA==' } }) }, /is an answer for another ceremony/)
  await refuses({ statement: safetyNet({ claims: { ctsProfileMatch: false } }) }, /the device was changed/)
  await refuses({ statement: safetyNet({ head: { alg: 'none' } }) }, /has no answer of the service/)
  await refuses({ statement: safetyNet({ head: { x5c: [] } }) }, /has no certificate/)
  await refuses({ statement: safetyNet({ ver: '' }) }, /has no answer of the service/)
})

it('refuses a statement without its members, of each format', async () => {
  for (const format of ['packed', 'tpm', 'android-key', 'android-safetynet', 'apple', 'fido-u2f'])
    await refuses({ statement: stating(format, () => ({})) }, new RegExp(`of the format ${format}, has no `))
})

it.run()
