/// <reference lib="esnext.disposable" preserve="true" />
/** The engine of a host on Node. */
import { createEngine as createEngineOfTasks } from '../core/create-engine.ts'
import { checkStorage } from '../core/check-options.ts'
import { run, orThrow } from '../core/countersign-error.ts'
import type { Services } from '../core/definition/port.ts'
import type { PortsFor, Resource } from '../core/definition/resource.ts'
import type { Client } from '../core/door/client.ts'
import { hostEngine, type HostEngine, type Waiting } from '../core/door/host-engine.ts'
import type { PromisedEngine } from '../core/door/promised-engine.ts'
import type { Stamper } from '../core/door/transport.ts'
import type { Engine as EngineOfTasks, EngineOptions } from '../core/engine.ts'
import type { Failure } from '../core/failure.ts'
import type { Keystore } from '../core/ports/keystore.ts'
import type { Notice } from '../core/ports/notice.ts'
import type { Storage } from '../core/ports/storage.ts'
import type { TE } from '../core/prelude.ts'
import type { Request } from '../core/request.ts'
import type { ActivityView } from '../core/view/activity-view.ts'
import { engineContainer, engineOptions, type GivenParts } from './container.ts'
import { organizationRequest, type OrganizationRequestOptions } from './organization-request.ts'
import { pause } from './client/pause.ts'
import { keptAlive } from './clock/kept-alive.ts'
import { begin } from './credentials/begin.ts'
import { unusable } from './files/system-error.ts'
import { withKeyring } from './keyring/with-keyring.ts'
import { keyStamper } from './signatures/key-stamper.ts'
import type { SigningKey } from './signatures/signer.ts'

/** The options of an engine on Node. Only the store is required, and the ports that the resources need. */
export type NodeEngineOptions = Omit<EngineOptions, 'store' | keyof GivenParts> &
  GivenParts & {
    /** The store, or a promise of it, as `sqliteStore()` and `memoryStore()` return. The engine closes it. */
    readonly store: Storage | Promise<Storage> | TE.TaskEither<Failure, Storage>
    /**
     * What opens the keys of wallets and private keys, which the store has sealed. With it, the engine has the port `keyring`; without it, what
     * needs a key of its own is `UNSUPPORTED`.
     */
    readonly keystore?: Keystore | undefined
  }

/** An engine on Node. `await using` closes it at the end of the block. */
export type Engine = Omit<HostEngine, 'as' | 'createOrganization'> & {
  /**
   * The client of one user: it stamps with the key, or with a function that signs the bytes of a body.
   *
   * @example const { status, result } = await engine.as({ organizationId, key }).submit(createUserTag, { userTagName: 'officers', userIds: [] })
   */
  readonly as: (caller: { readonly organizationId: string; readonly key: SigningKey | Stamper }) => Client
  /**
   * Begins an organization: with one root user, who has the key; or with a create-organization activity of your own, stamped by a root
   * key that it registers. The same request again gets the same organization.
   */
  readonly createOrganization: (request: OrganizationRequestOptions | Request) => Promise<BegunOrganization>
  /**
   * Ensures that the store has an organization, and the file the key of its root user. The first call makes both; the next one finds them,
   * also in another process. If a process is killed meanwhile, the next call goes on: there is one organization, and the file has its key.
   * Only the owner of the file may read it; give it to `readCredentials`.
   *
   * @returns rejects with `ALREADY_EXISTS` if the store has an organization that the file is not for, and with `CONFIGURATION_INVALID` if the
   *   file is none of credentials, is for another store, or cannot be written
   * @example
   * await engine.openOrCreateOrganization({ name: 'Treasury', file: 'root.json' })
   * const root = engine.as(await readCredentials('root.json'))
   */
  readonly openOrCreateOrganization: (options: KeptOrganizationOptions) => Promise<KeptOrganization>
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

export type KeptOrganizationOptions = {
  /** The name of the organization, if it has to be made. */
  readonly name: string
  /** The path of the credentials file. A second file stands beside it, with `.pending` behind its name, until all is made. */
  readonly file: string
}

export type KeptOrganization = {
  readonly organizationId: string
  /** The hash of the second line of its log, which completes its creation; for auditors to pin. */
  readonly genesisHash: string
  /** Whether this call made the organization, or finished making it. */
  readonly isNew: boolean
}

export type BegunOrganization = {
  readonly organizationId: string
  /** Of the first event, for auditors to pin. */
  readonly genesisHash: string
  readonly activity: ActivityView
}

type Options<R extends readonly Resource[]> = Omit<NodeEngineOptions, 'resources' | 'ports'> & {
  readonly resources?: R
} & PortsFor<R>

/**
 * Makes an engine on Node. Default for `resources`: `publicApi`.
 *
 * @returns rejects with a `CountersignError` if an option is wrong or the store cannot be opened
 * @example
 * await using engine = await createEngine({ store: sqliteStore({ path: 'activities.db' }), resources: [...publicApi, wireTransfers] })
 */
export const createEngine = <const R extends readonly Resource[] = readonly []>(options: Options<R>): Promise<Engine> =>
  engineWith(options, { pause, attend: keptAlive() })

/**
 * @param waiting  what is done for those who wait
 * @param clientClock  gives clients the time of their requests; default: the engine's clock
 */
export const engineWith = async (
  options: NodeEngineOptions,
  waiting: Waiting,
  clientClock?: Pick<EngineOptions['clock'], 'now'>,
): Promise<Engine> => {
  const { tasks, clock, storage } = await opened(options)
  const engine = hostEngine(tasks, clientClock ?? clock, waiting)
  return {
    ...engine,
    as: ({ organizationId, key }) =>
      engine.as({ organizationId, stamper: typeof key === 'function' ? key : keyStamper(key) }),
    createOrganization: async (request) =>
      beginning(engine, 'body' in request ? request : organizationRequest(request)),
    openOrCreateOrganization: (kept) =>
      waiting.attend(keptOrganization({ engine: tasks, storage, nowMs: () => clock.now() }, kept)),
    [Symbol.asyncDispose]: engine.close,
  }
}

/** Like `createEngine`, but the methods of the engine return tasks of fp-ts, whose failures are values. */
export const createEngineOfTasksOnNode = async <const R extends readonly Resource[] = readonly []>(
  options: Options<R>,
): Promise<EngineOfTasks> => (await opened(options)).tasks

type Opened = { readonly tasks: EngineOfTasks; readonly clock: EngineOptions['clock']; readonly storage: Storage }

const opened = async ({ store, keystore, ...options }: NodeEngineOptions): Promise<Opened> => {
  const storage = await (typeof store === 'function' ? run(store) : store)
  orThrow(checkStorage(storage))
  try {
    const all = { onNotice: printNotice, ...options, ...engineOptions(engineContainer(storage, options)) }
    const start = (ports: Services): Promise<EngineOfTasks> => createEngineOfTasks({ ...all, ports })
    return { tasks: await withKeyring({ storage, keystore, ports: options.ports }, start), clock: all.clock, storage }
  } catch (error) {
    await storage.readModels.close()
    await storage.store.close()
    throw error
  }
}

/** What happens with notices that nobody takes: an operator should see at least what goes wrong. */
const printNotice = ({ level, message, context = {} }: Notice): void => {
  if (level !== 'info') console.error(`countersign: ${level}: ${message} ${JSON.stringify(context)}`)
}

const beginning = async (
  { createOrganization }: Pick<PromisedEngine, 'createOrganization'>,
  request: Request,
): Promise<BegunOrganization> => {
  const { activity, genesisHash } = await createOrganization(request)
  return { organizationId: activity.organizationId, genesisHash, activity }
}

const keptOrganization = async (
  place: Pick<Parameters<typeof begin>[0], 'engine' | 'storage' | 'nowMs'>,
  { name, file }: KeptOrganizationOptions,
): Promise<KeptOrganization> => {
  if (typeof file !== 'string' || file === '') throw unusable('file: expected the path of a credentials file')
  const { credentials, genesisHash, isNew } = await begin({ ...place, file, organizationName: name })
  return { organizationId: credentials.organizationId, genesisHash, isNew }
}
