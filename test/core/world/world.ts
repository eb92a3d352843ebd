import type { Engine } from '../../../core/engine.ts'
import { tuned, type TestOptions } from './tuned.ts'
import { createEngine } from '../../../core/create-engine.ts'
import type { Failure, Json } from '../../../core/failure.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import type { Clock } from '../../../core/ports/clock.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { E } from '../../../core/prelude.ts'
import type { ActivityView } from '../../../core/view/activity-view.ts'
import type { Request } from '../../../core/request.ts'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { generateKey, stamp, type SigningKey } from '../../../adapters/signatures/signer.ts'
import { testKeyring } from './keyring.ts'
import { PUBLIC_URL, sandboxPorts, testPorts } from './ports.ts'
import { paramsOf, type SoftwarePasskey } from './software-passkey.ts'
import { testStore } from './test-store.ts'

/** An engine with an organization, and a clock that tests move. */
export type World = Place & {
  readonly engine: Engine
  readonly storage: Storage
  readonly clock: TestClock
  readonly close: () => Promise<void>
}

/** An organization in an engine, with people who can sign. */
export type Place = {
  readonly organizationId: string
  readonly root: Person
  /** Adds a user, by the root; with a new key, unless the user has one. */
  readonly enrol: (name: string, tagIds?: readonly string[], signer?: Signer) => Promise<Person>
  readonly submit: (
    person: Signer,
    path: string,
    parameters: Json,
    more?: BodyExtras,
  ) => Promise<E.Either<Failure, ActivityView>>
  /** As `submit`; throws what was refused. */
  readonly done: (person: Signer, path: string, parameters: Json, more?: BodyExtras) => Promise<ActivityView>
  readonly ask: (
    person: Signer,
    path: string,
    members?: { readonly [member: string]: Json },
  ) => Promise<E.Either<Failure, { readonly [member: string]: Json }>>
  /** As `ask`; throws what was refused. */
  readonly answer: (
    person: Signer,
    path: string,
    members?: { readonly [member: string]: Json },
  ) => Promise<{ readonly [member: string]: Json }>
  readonly approve: (person: Signer, activity: ActivityView) => Promise<E.Either<Failure, ActivityView>>
  readonly reject: (person: Signer, activity: ActivityView) => Promise<E.Either<Failure, ActivityView>>
  /** The body that `submit` would send. */
  readonly body: (path: string, parameters: Json, more?: BodyExtras) => Uint8Array
  readonly send: (person: Signer, path: string, body: Uint8Array) => Promise<E.Either<Failure, ActivityView>>
}

export type Signer = {
  readonly key: SigningKey
  /** Whether the key is that of an Ethereum wallet, which signs messages in its own way. */
  readonly eip191?: boolean
  /** What stamps in place of the key. */
  readonly passkey?: SoftwarePasskey
  /** The token that the stamp brings. */
  readonly proof?: { readonly by: 'VERIFICATION_TOKEN' | 'OIDC'; readonly token: string }
}
export type Person = Signer & { readonly userId: string; readonly apiKeyId: string }
export type BodyExtras = { readonly type?: string; readonly timestampMs?: Json; readonly organizationId?: string }
export type TestClock = Clock & { readonly set: (atMs: number) => void; readonly pass: (ms: number) => void }

/** A clock that stands still until it is moved; each reading of a running one would make tests depend on speed. */
export const testClock = (startMs = Date.parse('2026-01-01T00:00:00.000Z')): TestClock => {
  let nowMs = startMs
  const timers = new Set<{ readonly dueMs: number; readonly wake: () => void }>()
  const fire = (): void => {
    for (const timer of [...timers]) {
      if (timer.dueMs > nowMs) continue
      timers.delete(timer)
      timer.wake()
    }
  }
  return {
    now: () => nowMs,
    after: (delayMs, wake) => {
      const timer = { dueMs: nowMs + delayMs, wake }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    set: (atMs) => {
      nowMs = atMs
      fire()
    },
    pass: (ms) => {
      nowMs += ms
      fire()
    },
  }
}

const encoder = new TextEncoder()

/** A request with the stamp of a person. */
export const stamped = (signer: Signer, body: Uint8Array): Request => ({
  headers: stampBy(signer, body),
  body,
  address: null,
})

const stampBy = ({ key, eip191 = false, passkey, proof }: Signer, body: Uint8Array): Request['headers'] => {
  if (proof !== undefined) return { 'x-stamp-attested': attestedStamp(key, body, proof) }
  return passkey === undefined
    ? { 'x-stamp': stamp(key, body, { eip191 }) }
    : { 'x-stamp-webauthn': passkey.stamp(body) }
}

/** As the official client writes it. */
const attestedStamp = (key: SigningKey, body: Uint8Array, { by, token }: NonNullable<Signer['proof']>): string => {
  const { publicKey, signature } = JSON.parse(Buffer.from(stamp(key, body), 'base64url').toString()) as {
    readonly [member: string]: string
  }
  const json = { publicKeyAttestation: token, scheme: `STAMP_ATTESTED_SCHEME_P256_${by}`, publicKey, signature }
  return Buffer.from(JSON.stringify(json)).toString('base64url')
}

/** The body of a create-organization request. */
export const genesisBody = (
  organizationId: string,
  key: SigningKey,
  atMs: number,
  name = 'Default',
  passkey?: SoftwarePasskey,
): Uint8Array =>
  encoder.encode(
    JSON.stringify({
      type: 'ACTIVITY_TYPE_CREATE_ORGANIZATION',
      timestampMs: String(atMs),
      organizationId,
      parameters: {
        organizationName: name,
        rootUsers: [
          {
            userName: 'root',
            ...(passkey === undefined
              ? { apiKeys: [{ apiKeyName: 'root', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }] }
              : { apiKeys: [], authenticators: [paramsOf(passkey, 'root')] }),
          },
        ],
        rootQuorumThreshold: 1,
      },
    }),
  )

export type WorldOptions = TestOptions & {
  readonly testClock?: TestClock
  /** Users, the root too, have a passkey each in place of a key. */
  readonly passkeys?: (() => SoftwarePasskey) | undefined
}

/** Begins a world: an engine over the store of `testStore`, unless the options say otherwise, with one organization and its root. */
export const world = async ({ testClock: given, passkeys, ...options }: WorldOptions = {}): Promise<World> => {
  const clock = given ?? testClock()
  const storage = options.store ?? (await testStore())
  const keyring = storage.sealed && testKeyring(storage)
  const engine = await createEngine({
    ...testPorts(),
    clock,
    resources: publicApi,
    executeTwice: true,
    publicUrl: PUBLIC_URL,
    ...tuned(options),
    ports: { keyring, ...sandboxPorts(), ...options.ports },
    store: storage,
  })
  const place = await begin({ engine, clock }, { passkeys })
  const close = async (): Promise<void> => {
    await engine.close()
    await keyring?.close()
  }
  return { engine, storage, clock, ...place, close }
}

type Inside = {
  readonly engine: Pick<Engine, 'submit' | 'query' | 'createOrganization' | 'catalogue'>
  readonly clock: Pick<Clock, 'now'>
}

/** Begins an organization in an engine, with one root user. */
export const begin = async (
  { engine, clock }: Inside,
  { name = 'Default', passkeys }: { readonly name?: string } & Pick<WorldOptions, 'passkeys'> = {},
): Promise<Place> => {
  const root: Signer = { key: generateKey('API_KEY_CURVE_P256'), ...(passkeys && { passkey: passkeys() }) }
  const organizationId = nodeIds().uuid()
  const body = genesisBody(organizationId, root.key, clock.now(), name, root.passkey)
  const { activity } = right(await engine.createOrganization(stamped(root, body))())
  const userId = activity.votes[0]?.userId ?? ''
  return placeIn({ engine, clock }, organizationId, { ...root, userId, apiKeyId: '' }, passkeys)
}

/** Begins an organization below another one, with one root user. */
export const beginBelow = async (inside: Inside, parent: Place, name = 'eve'): Promise<Place> => {
  const key = generateKey('API_KEY_CURVE_P256')
  const apiKeys = [{ apiKeyName: `key of ${name}`, publicKey: key.publicKey, curveType: key.curve }]
  const user = { userName: name, userEmail: `${name}@example.com`, apiKeys, authenticators: [], oauthProviders: [] }
  const parameters = { subOrganizationName: 'below', rootQuorumThreshold: 1, rootUsers: [user] }
  const { result } = await parent.done(parent.root, 'create_sub_organization', parameters)
  const { subOrganizationId, rootUserIds } = begunBy(result)
  return placeIn(inside, subOrganizationId, { key, userId: rootUserIds[0] ?? '', apiKeyId: '' })
}

/** What an activity has begun, by its result. */
export const begunBy = (result: ActivityView['result']) =>
  (result['createSubOrganizationResultV8'] ?? result['createSubOrganizationResultV7']) as {
    readonly subOrganizationId: string
    readonly rootUserIds: readonly string[]
  }

/** An organization that was begun before. */
export const placeIn = (
  { engine, clock }: Inside,
  organizationId: string,
  root: Person,
  passkeys?: WorldOptions['passkeys'],
): Place => {
  let nonce = 0
  const body: Place['body'] = (path, parameters, more = {}) => {
    nonce += 1
    const type = more.type ?? engine.catalogue.byPath(path)?.type ?? `ACTIVITY_TYPE_${path.toUpperCase()}`
    const timestampMs = String(clock.now())
    return encoder.encode(
      JSON.stringify({ type, timestampMs, organizationId, parameters, nonce: String(nonce), ...more }),
    )
  }
  const send: Place['send'] = (person, path, bytes) => engine.submit(path, stamped(person, bytes))()
  const submit: Place['submit'] = async (person, path, parameters, more) =>
    send(person, path, body(path, path === 'erase_user' ? await withHead(person, parameters) : parameters, more))
  /** The parameters of an erasure with the present head of the log, as the command line fills it in. */
  const withHead = async (person: Signer, parameters: Json): Promise<Json> => {
    const given = parameters as { readonly [member: string]: Json } // those of an erasure
    const { userId = '' } = given
    const asked = await ask(person, 'list_personal_places', { userId })
    return E.isLeft(asked) ? given : { head: asked.right.head as Json, ...given } // whoever may not ask is refused
  }
  const done: Place['done'] = async (...asked) => right(await submit(...asked))
  const ask: Place['ask'] = (person, path, members = {}) =>
    engine.query(path, stamped(person, encoder.encode(JSON.stringify({ organizationId, ...members }))))()
  return {
    organizationId,
    root,
    body,
    send,
    submit,
    done,
    ask,
    answer: async (person, path, members) => right(await ask(person, path, members)),
    approve: (person, { fingerprint }) => submit(person, 'approve_activity', { fingerprint }),
    reject: (person, { fingerprint }) => submit(person, 'reject_activity', { fingerprint }),
    enrol: async (name, tagIds = [], given) => {
      const person = given ?? { key: generateKey('API_KEY_CURVE_P256'), ...(passkeys && { passkey: passkeys() }) }
      const user = { userName: name, ...credentialsOf(person), oauthProviders: [], userTags: [...tagIds] }
      const created = await done(root, 'create_users', { users: [user] })
      const userId = (created.result.createUsersResult as { readonly userIds: readonly string[] }).userIds[0] ?? ''
      const keys = right(await ask(root, 'get_api_keys', { userId })).apiKeys as readonly {
        readonly apiKeyId: string
      }[]
      return { ...person, userId, apiKeyId: keys[0]?.apiKeyId ?? '' }
    },
  }
}

/** What a user is created with who has the key, or the passkey. */
const credentialsOf = ({ key: { publicKey, curve }, passkey }: Signer) =>
  passkey === undefined
    ? { apiKeys: [{ apiKeyName: 'key', publicKey, curveType: curve }], authenticators: [] }
    : { apiKeys: [], authenticators: [paramsOf(passkey)] }

/** What was expected to succeed; throws the failure otherwise. */
export const right = <A>(either: E.Either<Failure, A>): A => {
  if (E.isRight(either)) return either.right
  throw new Error(`${either.left.code}: ${either.left.message} ${JSON.stringify(either.left.details ?? [])}`)
}

/** The code of what was expected to fail. */
export const codeOf = <A>(either: E.Either<Failure, A>): string => (E.isLeft(either) ? either.left.code : 'no failure')
