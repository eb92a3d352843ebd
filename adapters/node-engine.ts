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
  readonly [Symbol.asyncDispose]: () => Promise<void>
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
  const { tasks, clock } = await opened(options)
  const engine = hostEngine(tasks, clientClock ?? clock, waiting)
  return {
    ...engine,
    as: ({ organizationId, key }) =>
      engine.as({ organizationId, stamper: typeof key === 'function' ? key : keyStamper(key) }),
    createOrganization: async (request) =>
      beginning(engine, 'body' in request ? request : organizationRequest(request)),
    [Symbol.asyncDispose]: engine.close,
  }
}

/** Like `createEngine`, but the methods of the engine return tasks of fp-ts, whose failures are values. */
export const createEngineOfTasksOnNode = async <const R extends readonly Resource[] = readonly []>(
  options: Options<R>,
): Promise<EngineOfTasks> => (await opened(options)).tasks

const opened = async ({
  store,
  keystore,
  ...options
}: NodeEngineOptions): Promise<{ readonly tasks: EngineOfTasks; readonly clock: EngineOptions['clock'] }> => {
  const storage = await (typeof store === 'function' ? run(store) : store)
  orThrow(checkStorage(storage))
  try {
    const all = { onNotice: printNotice, ...options, ...engineOptions(engineContainer(storage, options)) }
    const start = (ports: Services): Promise<EngineOfTasks> => createEngineOfTasks({ ...all, ports })
    return { tasks: await withKeyring({ storage, keystore, ports: options.ports }, start), clock: all.clock }
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
