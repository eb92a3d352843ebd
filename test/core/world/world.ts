import type { Engine, EngineOptions } from '../../../core/engine.ts'
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
import { testPorts } from './ports.ts'
import { paramsOf, type SoftwarePasskey } from './software-passkey.ts'
import { testStore } from './test-store.ts'

/** An engine with an organization, people who can sign, and a clock that tests move. */
export type World = {
  readonly engine: Engine
  readonly storage: Storage
  readonly clock: TestClock
  readonly organizationId: string
  readonly root: Person
  /** Adds a user, by the root. */
  readonly enrol: (name: string, tagIds?: readonly string[]) => Promise<Person>
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
  /** Closes the engine and opens another on the same storage, which is given again by `reopen`. */
  readonly close: () => Promise<void>
}

export type Signer = {
  readonly key: SigningKey
  /** What stamps in place of the key. */
  readonly passkey?: SoftwarePasskey
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
export const stamped = ({ key, passkey }: Signer, body: Uint8Array): Request => ({
  headers: passkey === undefined ? { 'x-stamp': stamp(key, body) } : { 'x-stamp-webauthn': passkey.stamp(body) },
  body,
  address: null,
})

/** The body of a create-organization request. */
export const genesisBody = (
  organizationId: string,
  key: SigningKey,
  atMs: number,
  threshold = 1,
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
        rootQuorumThreshold: threshold,
      },
    }),
  )

export type WorldOptions = Partial<EngineOptions> & {
  readonly testClock?: TestClock
  /** Users, the root too, have a passkey each in place of a key. */
  readonly passkeys?: () => SoftwarePasskey
}

/** Begins a world: an engine over the store of `testStore`, unless the options say otherwise, with one organization and its root. */
export const world = async ({ testClock: given, passkeys, ...options }: WorldOptions = {}): Promise<World> => {
  const clock = given ?? testClock()
  const storage = options.store ?? (await testStore())
  const engine = await createEngine({
    ...testPorts(),
    clock,
    resources: publicApi,
    executeTwice: true,
    ...options,
    store: storage,
  })
  const key = generateKey('API_KEY_CURVE_P256')
  const organizationId = nodeIds().uuid()
  const own = passkeys === undefined ? {} : { passkey: passkeys() }
  const request = stamped({ key, ...own }, genesisBody(organizationId, key, clock.now(), 1, 'Default', own.passkey))
  right(await engine.createOrganization(request)())
  let nonce = 0

  const body = (path: string, parameters: Json, more: BodyExtras = {}): Uint8Array => {
    nonce += 1
    const type = more.type ?? engine.catalogue.byPath(path)?.type ?? `ACTIVITY_TYPE_${path.toUpperCase()}`
    return encoder.encode(
      JSON.stringify({
        type,
        timestampMs: String(clock.now()),
        organizationId,
        parameters,
        nonce: String(nonce),
        ...more,
      }),
    )
  }
  const send = (person: Signer, path: string, bytes: Uint8Array) => engine.submit(path, stamped(person, bytes))()
  const submit = (person: Signer, path: string, parameters: Json, more?: BodyExtras) =>
    send(person, path, body(path, parameters, more))
  const done = async (person: Signer, path: string, parameters: Json, more?: BodyExtras) =>
    right(await submit(person, path, parameters, more))
  const ask = (person: Signer, path: string, members: { readonly [member: string]: Json } = {}) =>
    engine.query(path, stamped(person, encoder.encode(JSON.stringify({ organizationId, ...members }))))()
  const me = right(await ask({ key, ...own }, 'whoami'))
  const root: Person = { key, ...own, userId: typeof me.userId === 'string' ? me.userId : '', apiKeyId: '' }

  return {
    engine,
    storage,
    clock,
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
    enrol: async (name, tagIds = []) => {
      const person: Signer = { key: generateKey('API_KEY_CURVE_P256'), ...(passkeys && { passkey: passkeys() }) }
      const user = { userName: name, ...credentialsOf(person), oauthProviders: [], userTags: [...tagIds] }
      const created = await done(root, 'create_users', { users: [user] })
      const userId = (created.result.createUsersResult as { readonly userIds: readonly string[] }).userIds[0] ?? ''
      const keys = right(await ask(root, 'get_api_keys', { userId })).apiKeys as readonly {
        readonly apiKeyId: string
      }[]
      return { ...person, userId, apiKeyId: keys[0]?.apiKeyId ?? '' }
    },
    close: () => engine.close(),
  }
}

/** What a user is created with who has the key, or the passkey. */
const credentialsOf = ({ key: { publicKey }, passkey }: Signer) =>
  passkey === undefined
    ? { apiKeys: [{ apiKeyName: 'key', publicKey, curveType: 'API_KEY_CURVE_P256' }], authenticators: [] }
    : { apiKeys: [], authenticators: [paramsOf(passkey)] }

/** What was expected to succeed; throws the failure otherwise. */
export const right = <A>(either: E.Either<Failure, A>): A => {
  if (E.isRight(either)) return either.right
  throw new Error(`${either.left.code}: ${either.left.message} ${JSON.stringify(either.left.details ?? [])}`)
}

/** The code of what was expected to fail. */
export const codeOf = <A>(either: E.Either<Failure, A>): string => (E.isLeft(either) ? either.left.code : 'no failure')
