import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { simpleWebAuthn } from '../../../adapters/attestations/attestations.ts'
import { nodeDigest } from '../../../adapters/digest/node-digest.ts'
import { concat, encodeUtf8 } from '../../../core/bytes.ts'
import { bytesOfHex, der, selfMadeCertificate, type SelfMadeOptions } from '../../certificate.ts'
import { softwarePasskey, type PasskeyAlgorithm, type ToAttest } from '../../core/world/software-passkey.ts'
import { apple, type Members } from '../../core/world/statements.ts'
import { right } from '../../core/world/world.ts'

const it = suite('attestations: statements of Android, Apple and TPMs')

const { verify } = simpleWebAuthn({ digest: nodeDigest() })
const { sha256 } = nodeDigest()
const passkeys = {
  ES256: softwarePasskey({ algorithm: 'ES256', rpId: 'example.org' }),
  RS256: softwarePasskey({ algorithm: 'RS256', rpId: 'example.org' }),
}
const other = selfMadeCertificate({ subject: [] })
const challenge = encodeUtf8('a challenge')

const answer = (format: string, members: (toAttest: ToAttest) => Members, algorithm: PasskeyAlgorithm) => {
  const statement = (toAttest: ToAttest) => ({ format, members: new Map(Object.entries(members(toAttest))) })
  return verify(passkeys[algorithm].register(challenge, { statement }))
}

const keeps = async (format: string, members: (toAttest: ToAttest) => Members, algorithm: PasskeyAlgorithm) =>
  assert.is(right(await answer(format, members, algorithm)).format, format)

const refuses = async (format: string, members: (toAttest: ToAttest) => Members, reason: RegExp) => {
  const refused = await answer(format, members, 'ES256')
  if (refused._tag === 'Right') throw new Error(`it was kept, but ${reason} was expected`)
  assert.match(refused.left.message, reason)
}

const signedBy = ({ authenticatorData, clientDataHash }: ToAttest): Uint8Array =>
  concat([authenticatorData, clientDataHash])

it("keeps what Apple's certificate vouches for", async () => {
  await keeps('apple', apple(), 'ES256')
  await keeps('apple', apple(), 'RS256')
})

it("refuses Apple's certificate for another ceremony or another key", async () => {
  await refuses('apple', apple({ nonce: sha256(challenge) }), /format apple, has a certificate for another ceremony/)
  await refuses('apple', () => ({ x5c: [other.bytes] }), /has a certificate for another ceremony/)
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  await refuses('apple', apple({ publicKey }), /has a certificate for another key/)
})

const [ZERO, NO_BYTES] = [Uint8Array.of(2, 1, 0), new Uint8Array()]
const ALL_APPLICATIONS = bytesOfHex('bf8458020500')
const PURPOSE = bytesOfHex('a1053103020102')

type AndroidChange = {
  readonly isOwn?: boolean
  readonly challenge?: Uint8Array
  readonly software?: Uint8Array
  readonly hardware?: Uint8Array
  readonly members?: Members
}

/** A certificate of Android's key store, and the passkey's own signature. */
const android =
  ({ isOwn = true, software = PURPOSE, hardware = NO_BYTES, members = {}, ...change }: AndroidChange = {}) =>
  (toAttest: ToAttest): Members => {
    const of = der(0x04, change.challenge ?? toAttest.clientDataHash)
    const level = Uint8Array.of(0x0a, 1, 0)
    const lists = [der(0x30, software), der(0x30, hardware)]
    const description = der(0x30, ZERO, level, ZERO, level, of, der(0x04), ...lists)
    const extensions = [[bytesOfHex('060a2b06010401d679020111'), description]] as const
    const { bytes } = selfMadeCertificate({ subject: [], extensions, ...(isOwn ? toAttest : {}) })
    return { alg: -7, sig: toAttest.sign(signedBy(toAttest)), x5c: [bytes], ...members }
  }

it('keeps what the key store of Android vouches for', async () => {
  await keeps('android-key', android(), 'ES256')
  await keeps('android-key', android({ members: { alg: -257 } }), 'RS256')
})

it('refuses a key of Android of another ceremony, another key, one for all apps, and another signature', async () => {
  await refuses('android-key', android({ challenge }), /android-key, has a certificate for another ceremony/)
  await refuses('android-key', android({ isOwn: false }), /has a certificate for another key/)
  const forAll = /has a certificate for a key that every app may use/
  await refuses('android-key', android({ software: ALL_APPLICATIONS }), forAll)
  await refuses('android-key', android({ hardware: concat([PURPOSE, ALL_APPLICATIONS]) }), forAll)
  await refuses('android-key', android({ hardware: Uint8Array.of(0x30) }), forAll)
  const sig = other.sign(challenge)
  await refuses('android-key', android({ members: { sig } }), /has a signature that does not verify/)
  await refuses('android-key', android({ members: { alg: 'ES256' } }), /has no algorithm/)
})

const sized = (bytes: Uint8Array): Uint8Array => concat([Uint8Array.of(bytes.length >> 8, bytes.length & 0xff), bytes])
const memberOf = (key: KeyObject, name: 'n' | 'x' | 'y'): Uint8Array =>
  new Uint8Array(Buffer.from(key.export({ format: 'jwk' })[name] ?? '', 'base64url'))

/** The key as a TPM writes it, named with SHA-256. */
const pubAreaOf = (key: KeyObject): Uint8Array =>
  key.asymmetricKeyType === 'ec'
    ? concat([bytesOfHex('0023000b00060472000000100010000300100020'), memberOf(key, 'x'), sized(memberOf(key, 'y'))])
    : concat([bytesOfHex('0001000b0006047200000010001008000000'), bytesOfHex('0000'), sized(memberOf(key, 'n'))])

const attribute = (id: number, text: string): Uint8Array =>
  der(0x31, der(0x30, bytesOfHex(`0605678105020${id}`), der(0x0c, encodeUtf8(text))))

const PURPOSES = [bytesOfHex('0603551d25'), der(0x30, bytesOfHex('06056781050803'))] as const
const namesOf = (...ids: readonly number[]) => {
  const names = ids.map((id) => attribute(id, 'id:00000000'))
  return [bytesOfHex('0603551d11'), der(0x30, der(0xa4, der(0x30, ...names)))] as const
}

type TpmChange = {
  readonly algorithm?: number
  readonly extraData?: Uint8Array
  readonly key?: KeyObject
  readonly name?: Uint8Array
  readonly head?: string
  readonly behind?: Uint8Array
  readonly certificate?: Partial<SelfMadeOptions>
  readonly members?: Members
}

const tpm =
  (change: TpmChange = {}) =>
  (toAttest: ToAttest): Members => {
    const pubArea = pubAreaOf(change.key ?? toAttest.publicKey)
    const named = concat([bytesOfHex('000b'), sha256(pubArea)])
    const { algorithm = -257, head = 'ff5443478017', name = named, behind = NO_BYTES, certificate = {} } = change
    const hash = algorithm === -65535 ? 'sha1' : 'sha256'
    const own = new Uint8Array(createHash(hash).update(signedBy(toAttest)).digest())
    const extraData = change.extraData ?? own
    const certInfo = concat([
      bytesOfHex(head),
      sized(NO_BYTES),
      sized(extraData),
      new Uint8Array(25),
      sized(name),
      sized(NO_BYTES),
      behind,
    ])
    const extensions = [PURPOSES, namesOf(1, 2, 3)]
    const { bytes, sign } = selfMadeCertificate({ type: 'rsa', subject: [], extensions, ...certificate })
    return { ver: '2.0', alg: algorithm, x5c: [bytes], sig: sign(certInfo, hash), certInfo, pubArea, ...change.members }
  }

it('keeps what a TPM certifies', async () => {
  await keeps('tpm', tpm(), 'ES256')
  await keeps('tpm', tpm(), 'RS256')
  await keeps('tpm', tpm({ algorithm: -65535 }), 'ES256')
  await keeps('tpm', tpm({ algorithm: -7, certificate: { type: 'ec' } }), 'ES256')
})

it('refuses what a TPM certifies of another key, or for another ceremony', async () => {
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
  await refuses('tpm', tpm({ key }), /format tpm, is about another key/)
  await refuses('tpm', tpm({ name: concat([bytesOfHex('000b'), sha256(challenge)]) }), /certifies another key/)
  await refuses('tpm', tpm({ extraData: sha256(challenge) }), /is for another ceremony/)
})

it('refuses structures of a TPM that are others, or longer', async () => {
  const unreadable = /has structures of a TPM that cannot be read/
  await refuses('tpm', tpm({ head: 'ff5443468017' }), unreadable)
  await refuses('tpm', tpm({ head: 'ff5443478018' }), unreadable)
  await refuses('tpm', tpm({ behind: Uint8Array.of(0) }), unreadable)
  await refuses('tpm', tpm({ members: { pubArea: NO_BYTES } }), unreadable)
  for (const members of [{ ver: '1.2' }, { alg: -8 }, { alg: '-257' }, { sig: 'text' }])
    await refuses('tpm', tpm({ members }), /has no version 2.0, no known algorithm, or no signature/)
})

it('refuses a certificate that is not one of a TPM, and a signature of another', async () => {
  const notOne = /has a certificate that is not one of a TPM/
  const names = namesOf(1, 2, 3)
  for (const certificate of [
    { subject: [[3, 'A name']] },
    { version: 1 },
    { extensions: [names] },
    { extensions: [PURPOSES] },
    { extensions: [PURPOSES, namesOf(1, 2)] },
    { extensions: [[PURPOSES[0], der(0x30, bytesOfHex('06056781050801'))], names] },
  ] satisfies readonly Partial<SelfMadeOptions>[])
    await refuses('tpm', tpm({ certificate }), notOne)
  const model = [bytesOfHex('060b2b0601040182e51c010104'), der(0x04, new Uint8Array(16).fill(1))] as const
  await refuses('tpm', tpm({ certificate: { extensions: [PURPOSES, names, model] } }), /for another model/)
  await refuses('tpm', tpm({ members: { sig: other.sign(challenge) } }), /has a signature that does not verify/)
})

it.run()
