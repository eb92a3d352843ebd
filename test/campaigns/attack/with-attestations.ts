/** Registrations of passkeys that cost what a registration may cost, or that no reader should follow. */
import { randomUUID } from 'node:crypto'
import { concat, encodeBase64Url, encodeUtf8 } from '../../../core/bytes.ts'
import { encodeCbor } from '../../core/world/encode-cbor.ts'
import { anyPasskey, paramsOf, type RegistrationOptions } from '../../core/world/software-passkey.ts'
import { packed, stating } from '../../core/world/statements.ts'
import { NEW_AUTHENTICATORS_MAX } from '../../../core/resources/authenticator/new-authenticators.ts'
import { defaultLimits } from '../../core/world/with-host.ts'
import type { Attack } from './attack.ts'
import { userOf } from '../people.ts'
import { crowd } from './crowd.ts'
import { asking } from './salvos.ts'
import type { Stage } from './stage.ts'
import { variants } from './with-wrong-entries.ts'

/** As long as a text of a registration may be, in bytes. */
const BYTES_MAX = 49_000

const registered = (options: RegistrationOptions = {}, algorithm: 'ES256' | 'RS256' = 'ES256') =>
  paramsOf(anyPasskey(algorithm), 'p', options)

/** A registration whose attestation object is these bytes. */
const ofBytes = (bytes: Uint8Array) => {
  const params = registered()
  return { ...params, attestation: { ...params.attestation, attestationObject: encodeBase64Url(bytes) } }
}

const AUTH_DATA = concat([encodeUtf8('authData'), new Uint8Array(37)])

const hostile: Readonly<Record<string, () => object>> = {
  'lists in lists': () => ofBytes(new Uint8Array(BYTES_MAX).fill(0x81)),
  'maps in maps': () => ofBytes(new Uint8Array(BYTES_MAX).fill(0xa1)),
  'tags on tags': () => ofBytes(new Uint8Array(BYTES_MAX).fill(0xc1)),
  'a length that is not there': () => ofBytes(Uint8Array.of(0x9b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)),
  'a text without an end': () => ofBytes(concat([Uint8Array.of(0x7f), new Uint8Array(BYTES_MAX).fill(0x60)])),
  'thousands of members': () => {
    const members = new Map(Array.from({ length: 6_000 }, (_, n) => [`m${n}`, n] as const))
    return registered({ statement: () => ({ format: 'none', members }) })
  },
  'an unknown format of any length': () =>
    registered({ statement: stating('f'.repeat(20_000), () => ({ x: AUTH_DATA })) }),
  'thousands of certificates': () =>
    registered({
      statement: stating('packed', () => ({
        alg: -7,
        sig: new Uint8Array(70),
        x5c: Array.from({ length: 9_000 }, () => Uint8Array.of(0x30, 0)),
      })),
    }),
  'one certificate of lengths in lengths': () =>
    registered({
      statement: stating('packed', () => ({
        alg: -7,
        sig: new Uint8Array(70),
        x5c: [new Uint8Array(30_000).fill(0x30)],
      })),
    }),
  'a chain of copies of one certificate': () => {
    const one = packed()
    return registered({
      statement: (toAttest) => {
        const { format, members } = one(toAttest)
        const [certificate] = members.get('x5c') as readonly Uint8Array[] // our own statement
        const x5c = Array.from({ length: 80 }, () => certificate ?? new Uint8Array())
        return { format, members: new Map([...members, ['x5c', x5c]]) }
      },
    })
  },
  'an object that goes on': () => ofBytes(concat([encodeCbor(new Map([['fmt', 'none']])), new Uint8Array(BYTES_MAX)])),
}

/** Somebody honest has registered a passkey before: the first statement of a process loads a library, once, and everybody waits for it. */
const warm = async (stage: Stage): Promise<void> => {
  const authenticators = [registered({ statement: packed() })]
  await stage.submit('create_users', { users: [{ ...userOf(`user ${randomUUID()}`), authenticators }] })
}

const answersOf: readonly number[] = [400, 403]

/** A request that creates users with these passkeys, as many as each may have: nobody but the root may do that. */
const creating = ({ submission }: Stage, passkeys: readonly object[], key?: Stage['own']['key']): Uint8Array => {
  const each = defaultLimits.authenticators
  const users = Array.from({ length: Math.ceil(passkeys.length / each) }, (_, n) => ({
    ...userOf(`u${n}`),
    authenticators: passkeys.slice(n * each, (n + 1) * each),
  }))
  return submission('create_users', { users }, key)
}

const hostileAttacks: readonly Attack[] = Object.entries(hostile).map(([what, make]) => ({
  name: `attestation-with-${what.replaceAll(' ', '-')}`,
  says: `A passkey whose attestation is ${what}, by the root user.`,
  answers: answersOf,
  isSingle: true,
  prepare: async (stage) => {
    await warm(stage)
    return asking(stage.url, [creating(stage, [make()]), creating(stage, [make()])], 4)
  },
}))

export const withAttestations: readonly Attack[] = [
  {
    name: 'hostile-attestations',
    says: 'Passkeys with attestations that are nested, endless, or as long as they may be, by the root user.',
    answers: answersOf,
    prepare: async (stage) => {
      await warm(stage)
      const requests = Object.values(hostile).map((make) => creating(stage, [make()]))
      return asking(stage.url, requests, 4)
    },
  },
  {
    name: 'attestations-with-certificates-without-rights',
    says: 'As many passkeys as one request may register, with a certificate each; the last does not verify. By a user without rights.',
    answers: answersOf,
    prepare: async (stage) => {
      await warm(stage)
      const [nobody] = await crowd(stage, { users: 1 })
      const wrong = registered({ statement: packed({}, { alg: -257 }) })
      return asking(
        stage.url,
        variants(() => {
          const right = Array.from({ length: NEW_AUTHENTICATORS_MAX - 1 }, () => registered({ statement: packed() }))
          return creating(stage, [...right, wrong], nobody?.key)
        }, 5),
      )
    },
  },
  ...hostileAttacks,
]
