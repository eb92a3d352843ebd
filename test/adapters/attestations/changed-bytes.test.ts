import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { simpleWebAuthn } from '../../../adapters/attestations/attestations.ts'
import { nodeDigest } from '../../../adapters/digest/node-digest.ts'
import { decodeBase64, encodeBase64Url, encodeUtf8 } from '../../../core/bytes.ts'
import type { Attested, Registration } from '../../../core/ports/attestations.ts'
import { decodeAttestationObject } from '../../../core/stamp/attestation-object.ts'
import type { CborValue } from '../../../core/stamp/cbor.ts'
import { softwarePasskey } from '../../core/world/software-passkey.ts'
import { right } from '../../core/world/world.ts'
import { encodeCbor } from '../../core/world/encode-cbor.ts'
import { vectors } from '../../core/stamp/vectors.ts'

const it = suite('attestations: changed bytes')

const { verify } = simpleWebAuthn({ digest: nodeDigest() })
const challenge = encodeUtf8('a challenge')
const passkey = softwarePasskey({ algorithm: 'ES256', rpId: 'example.org' })

/** What no signature of the format covers: a change of it is another registration, as true as the first. */
const UNSIGNED: Readonly<Partial<Record<Attested['format'], readonly (keyof Attested)[]>>> = {
  none: ['aaguid', 'origin', 'crossOrigin', 'topOrigin'],
  'fido-u2f': ['aaguid'],
}

const bytesOf = (text: string): Uint8Array => decodeBase64(text) ?? new Uint8Array()

const flipped = (text: string, at: number, bit: number): string => {
  const bytes = bytesOf(text).slice()
  bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
  return encodeBase64Url(bytes)
}

/** Flips one bit of each byte, another from byte to byte. */
const flipsAreRefused = async (registration: Registration): Promise<void> => {
  const kept = right(await verify(registration))
  const unsigned = new Map(UNSIGNED[kept.format]?.map((name) => [name, kept[name]]))
  let refused = 0
  for (const member of ['attestationObject', 'clientDataJson', 'credentialId'] as const)
    for (let at = 0; at < bytesOf(registration[member]).length; at += 1) {
      const changed = { ...registration, [member]: flipped(registration[member], at, at % 8) }
      const answer = await verify(changed)
      if (answer._tag === 'Left') refused += 1
      else assert.equal({ ...answer.right, ...Object.fromEntries(unsigned) }, kept, `${member} at ${at}`)
    }
  assert.ok(refused > 100, `${refused} were refused`)
}

it('of a passkey that nothing vouches for are refused, but for what cannot be seen', () =>
  flipsAreRefused(passkey.register(challenge)))

it('of a passkey that vouches for itself are refused', () =>
  flipsAreRefused(passkey.register(challenge, { statement: 'self' })))

/** One of each format and kind of key that a passkey in software does not make. */
const kept = vectors().filter(({ name }) => /^(?:packed|tpm|android-key|apple|fido-u2f)-(?:es256|rs256)$/.test(name))
const registrationOf = ({ registration }: (typeof kept)[number]): Registration => ({
  challenge: encodeBase64Url(registration('challenge')),
  credentialId: encodeBase64Url(registration('credential_id')),
  clientDataJson: encodeBase64Url(registration('clientDataJSON')),
  attestationObject: encodeBase64Url(registration('attestationObject')),
  transports: [],
})

for (const vector of kept)
  it(`of the standard's example ${vector.name} are refused, or do not matter`, () =>
    flipsAreRefused(registrationOf(vector)))

const samples = [
  passkey.register(challenge),
  passkey.register(challenge, { statement: 'self' }),
  ...kept.map(registrationOf),
]

it('give an answer, and never an error: any bytes', () =>
  fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...samples),
      fc.constantFrom('attestationObject', 'clientDataJson', 'credentialId', 'challenge'),
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.base64String(),
        fc.uint8Array().map((b) => encodeBase64Url(b)),
      ),
      async (sample, member, text) => {
        await verify({ ...sample, [member]: text })
      },
    ),
    { numRuns: 500 },
  ))

it('give an answer, and never an error: bytes replaced, added and left out', () =>
  fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...samples),
      fc.nat(),
      fc.nat(3),
      fc.uint8Array({ maxLength: 4 }),
      async (sample, at, left, more) => {
        const bytes = bytesOf(sample.attestationObject)
        const place = at % bytes.length
        const changed = [...bytes.subarray(0, place), ...more, ...bytes.subarray(place + left)]
        await verify({ ...sample, attestationObject: encodeBase64Url(Uint8Array.from(changed)) })
      },
    ),
    { numRuns: 1_000 },
  ))

/** A member of a statement with other bytes, or of another kind. */
const anyMember = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => new Uint8Array(bytes) as CborValue),
  fc.constantFrom<CborValue>(null, true, 0, -7, -257, -65535, '2.0', [], [new Uint8Array()], new Map()),
)

it('give an answer, and never an error: other members of a statement', () =>
  fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...samples),
      fc.constantFrom('alg', 'sig', 'x5c', 'ver', 'pubArea', 'certInfo', 'response'),
      anyMember,
      fc.nat(),
      fc.uint8Array({ minLength: 1, maxLength: 3 }),
      async (sample, name, value, at, noise) => {
        const object = decodeAttestationObject(bytesOf(sample.attestationObject))
        if (object === undefined) throw new Error('a sample cannot be read')
        const changes = [value, withNoise(object.statement.get(name), at, noise)]
        for (const change of changes) {
          const members = new Map<string, CborValue>([
            ['fmt', object.format],
            ['attStmt', new Map([...object.statement, [name, change]])],
            ['authData', object.authenticatorData],
          ])
          await verify({ ...sample, attestationObject: encodeBase64Url(encodeCbor(members)) })
        }
      },
    ),
    { numRuns: 1_000 },
  ))

/** Bytes with some of them replaced, or the list of such bytes. */
const withNoise = (value: CborValue | undefined, at: number, noise: Uint8Array): CborValue => {
  if (Array.isArray(value)) return (value as readonly CborValue[]).map((one) => withNoise(one, at, noise))
  if (!(value instanceof Uint8Array) || value.length < noise.length) return value ?? null
  const bytes = value.slice()
  bytes.set(noise, at % (bytes.length - noise.length + 1))
  return bytes
}

it.run()
