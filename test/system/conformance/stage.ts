import { ApiKeyStamper } from '@turnkey/api-key-stamper'
import { TurnkeyClient, TurnkeyRequestError, type TActivity } from '@turnkey/http'
import { Turnkey, TurnkeyRequestError as ServerRequestError, type TurnkeyApiClient } from '@turnkey/sdk-server'
import type { Json } from '../../../core/failure.ts'
import { httpServer, type HttpServerOptions } from '../../../adapters/http/index.ts'
import { stamp, type SigningKey } from '../../../adapters/signatures/signer.ts'
import { PATIENT } from '../../adapters/http/transport.ts'
import {
  testClock,
  world,
  type Person,
  type Place,
  type Signer,
  type World,
  type WorldOptions,
} from '../../core/world/world.ts'
import { faultsOf } from './answers.ts'
import { noteExchanges } from './record.ts'
import { listenIn, type Exchange } from './wire.ts'

/** A world behind a server on a real socket, and the clients that talk to it. */
export type Stage = World & {
  readonly url: string
  /** The client of `@turnkey/http` that stamps with the person's key. */
  readonly http: (person: Person) => TurnkeyClient
  /** The client of `@turnkey/sdk-server`; it polls what is not finished, so it is given little patience. */
  readonly sdk: (
    person: Person,
    activityPoller?: { readonly intervalMs: number; readonly numRetries: number },
  ) => TurnkeyApiClient
  /** What `@turnkey/http` calls a body: each has a timestamp of its own, so that each is an activity of its own. */
  readonly asks: <T extends string, P>(type: T, parameters: P) => Body<T, P>
  /** The same request as bytes, in the order of members that the clients use. */
  readonly bytes: (type: string, parameters: Json, more?: { readonly [member: string]: Json }) => string
  /** Posts what no client would send, stamped by the person. */
  readonly post: (person: Signer, path: string, body: string, headers?: Headers) => Promise<Reply>
  /** Posts without a stamp, but for what the headers say. */
  readonly postRaw: (path: string, body: string, headers?: Headers) => Promise<Reply>
  /** The same in another organization of the world. */
  readonly at: (place: Place) => Stage
  readonly exchanges: readonly Exchange[]
}

export type Body<T, P> = {
  readonly parameters: P
  readonly organizationId: string
  readonly timestampMs: string
  readonly type: T
}

export type Headers = { readonly [name: string]: string }
/** An answer as it was read; a test knows which of the members it expects. */
export type Reply = {
  readonly status: number
  readonly body: {
    readonly activity: TActivity
    readonly activities: readonly TActivity[]
    readonly code: number
    readonly message: string
    readonly turnkeyErrorCode: string
    readonly details: readonly Details[]
  }
}
export type StageOptions = WorldOptions & { readonly http?: HttpServerOptions }

/**
 * Sets the stage, plays, and looks at every answer that was given: one that breaks the specification fails the test,
 * whatever the test was about.
 */
export const onStage = async (play: (stage: Stage) => Promise<void>, options: StageOptions = {}): Promise<void> => {
  const { http, ...rest } = options
  const scene = await world({ testClock: testClock(Date.now()), ...rest })
  const server = httpServer(scene.engine, { ...PATIENT, drainTimeoutMs: 2000, ...http })
  const { url } = await server.listen()
  const exchanges: Exchange[] = []
  const stop = listenIn(Number(new URL(url).port), exchanges)
  try {
    const stageAt = (place: World): Stage => ({
      ...place,
      ...clients(place, url),
      at: (other) => stageAt({ ...place, ...other }),
      exchanges,
    })
    await play(stageAt(scene))
  } catch (error) {
    throw isRequestError(error) ? new Error(error.message, { cause: error }) : error // uvu cannot print the clients' own
  } finally {
    await server.close()
    stop()
    await scene.close()
  }
  const faults = exchanges.flatMap((exchange) => faultsOf(exchange, http?.activityTimestamps ?? 'string'))
  if (faults.length > 0) throw new Error(`answers that break the specification:\n    ${faults.join('\n    ')}`)
  noteExchanges(exchanges)
}

const clients = (scene: World, url: string): Omit<Stage, keyof World | 'at' | 'exchanges'> => {
  const { organizationId } = scene
  let asked = 0
  const timestampMs = (): string => {
    asked += 1
    return String(scene.clock.now() + asked)
  }
  const bytes: Stage['bytes'] = (type, parameters, more = {}) =>
    JSON.stringify({ parameters, organizationId, timestampMs: timestampMs(), type, ...more })
  const postRaw: Stage['postRaw'] = async (path, body, headers = {}) => {
    const response = await fetch(`${url}/public/v1/${path}`, { method: 'POST', body, headers })
    return { status: response.status, body: (await response.json()) as Reply['body'] } // as the type says
  }
  return {
    url,
    http: (person) => new TurnkeyClient({ baseUrl: url }, new ApiKeyStamper(credentialsOf(person))),
    sdk: (person, activityPoller = { intervalMs: 1, numRetries: 1 }) =>
      new Turnkey({
        apiBaseUrl: url,
        ...credentialsOf(person),
        defaultOrganizationId: organizationId,
        activityPoller,
      }).apiClient(),
    asks: (type, parameters) => ({ parameters, organizationId, timestampMs: timestampMs(), type }),
    bytes,
    post: (person, path, body, headers) =>
      postRaw(path, body, { 'X-Stamp': stamp(person.key, Buffer.from(body)), ...headers }),
    postRaw,
  }
}

/** A person's key, as the clients want it. */
export const credentialsOf = ({ key }: Signer): { readonly apiPublicKey: string; readonly apiPrivateKey: string } => ({
  apiPublicKey: key.publicKey,
  apiPrivateKey: key.privateKey,
})

/** What a client made of an error: `message` without what the client puts around it, `details` without the error code. */
export type Refusal = {
  readonly code: number
  readonly error: string
  readonly message: string
  readonly details: readonly Details[]
}
export type Details = { readonly [member: string]: Json }

const isRequestError = (error: unknown): error is TurnkeyRequestError | ServerRequestError =>
  error instanceof TurnkeyRequestError || error instanceof ServerRequestError

/** Waits for the refusal of a request; fails where there is none. */
export const refusal = async (asked: Promise<unknown>): Promise<Refusal> => {
  const error = await asked.then(
    () => new Error('expected a refusal'),
    (thrown: unknown) => thrown,
  )
  if (!isRequestError(error)) throw error as Error // whatever it is, it is no refusal
  const { code, message } = error
  const details = error.details as readonly Details[] // what the answer had, unread
  const coded = details.find((one) => one['@type'] === 'type.googleapis.com/errors.v1.TurnkeyErrorDetail')
  const first = coded?.['turnkeyErrorCode']
  const suffix = ` (Details: ${JSON.stringify(details)})`
  return {
    code,
    error: typeof first === 'string' ? first : '',
    message: message.slice(`Turnkey error ${code}: `.length, -suffix.length),
    details: details.filter((one) => one !== coded && one['@type'] !== ERROR_INFO),
  }
}

/** Tells the exact code, where the public API has none. */
const ERROR_INFO = 'type.googleapis.com/google.rpc.ErrorInfo'

/** The details of a request with a field that breaks a rule. */
export const violationOf = (field: string, description: string): readonly Details[] => [
  { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [{ field, description }] },
]

/** The key that the server publishes for a purpose: those of the official clients are others. */
export const publishedKey = async ({ url }: Stage, purpose: string): Promise<string> => {
  const answer = await fetch(`${url}/public/v1/discovery/keys`)
  const { keys } = (await answer.json()) as { keys: { purpose: string; publicKey: string }[] } // of a server of ours
  return keys.find((key) => key.purpose === purpose)?.publicKey ?? ''
}

/** A UUID that nothing has. */
export const NOBODY = '00000000-0000-4000-8000-000000000000'

/** The person with another key, registered by the root; without `expirationSeconds` it does not expire. */
export const withKey = async (
  { done, root }: World,
  person: Person,
  key: SigningKey,
  expirationSeconds?: string,
): Promise<Person> => {
  const apiKey = { apiKeyName: 'another', publicKey: key.publicKey, curveType: key.curve }
  const apiKeys = [{ ...apiKey, ...(expirationSeconds === undefined ? {} : { expirationSeconds }) }]
  const { result } = await done(root, 'create_api_keys', { userId: person.userId, apiKeys })
  const { apiKeyIds } = result['createApiKeysResult'] as { readonly apiKeyIds: readonly string[] } // as it is defined
  return { ...person, key, apiKeyId: apiKeyIds[0] ?? '' }
}
