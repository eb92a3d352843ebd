import { createHash } from 'node:crypto'
import type { AuditReport } from '../../../core/audit/report.ts'
import type { Services } from '../../../core/definition/port.ts'
import type { Resource } from '../../../core/definition/resource.ts'
import type { Client } from '../../../core/door/client.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { createUserTag } from '../../../core/resources/user-tag/create-user-tag.ts'
import { whoami } from '../../../core/resources/user/whoami.ts'
import { createUsers } from '../../../core/resources/user/create-users.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import { orThrow } from '../../../core/countersign-error.ts'
import { thrownBehind } from '../../../core/telemetry/cause.ts'
import { noTurns } from '../../../core/ports/turns.ts'
import { nodeContainer, tokens } from '../../container.ts'
import { auditLog, exportLog } from '../../audit/index.ts'
import { pause } from '../../client/pause.ts'
import { engineWith, type Engine, type NodeEngineOptions } from '../../node-engine.ts'
import { signingKey, type SigningKey } from '../../signatures/signer.ts'
import { memoryStore } from '../../store-memory/index.ts'
import { missedForgeries } from './forgeries.ts'
import { manualClock, type ManualClock } from './manual-clock.ts'
import { counted, quiet } from './under-way.ts'

/** The options of an office: all of an engine's that make sense there. */
export type OfficeOptions = Omit<
  NodeEngineOptions,
  'store' | 'clock' | 'ids' | 'signatures' | 'turns' | 'resources' | 'ports'
> & {
  /** The resources under test, besides those of the public API. */
  readonly resources?: readonly Resource[]
  /** The services behind the ports of operations, or stand-ins for them. */
  readonly ports?: Services
  /** When the clock begins, in milliseconds since the epoch. Default: the first of January 2030. */
  readonly startMs?: number
  /** Default: a new store in memory. */
  readonly store?: Storage
}

/** A user of the office, with a key: a client, and who it is. */
export type Person = Client & { readonly name: string; readonly userId: string; readonly key: SigningKey }

/** An organization with an engine around it, for the tests of a host's own operations. */
export type Office = {
  readonly engine: Engine
  readonly organizationId: string
  /** The root user, whom nothing but a policy that denies can stop. */
  readonly root: Person
  /**
   * Makes a user with a key. The tags are made where they are missing, so that policies can name them by their ids, which `tagId` tells.
   *
   * @example const ada = await office.enrol('ada', { tags: ['officers'] })
   */
  readonly enrol: (name: string, options?: { readonly tags?: readonly string[] }) => Promise<Person>
  /** The id of a tag that somebody was enrolled with. */
  readonly tagId: (name: string) => string
  readonly clock: {
    readonly now: () => number
    /** Moves the time on by so many milliseconds: wakes in their order all who wait for a time until then, and lets them finish. */
    readonly turn: (byMs: number) => Promise<void>
  }
  /** Audits the log so far, with the resources under test. The limits of the options count as known. */
  readonly audit: () => Promise<AuditReport>
  /**
   * Forges the log: changes the values of each change and result, one by one, and makes the hashes fit again. Gives a line for each forgery
   * that an audit does not find; there should be none.
   */
  readonly missedForgeries: () => Promise<readonly string[]>
  readonly close: () => Promise<void>
}

const START_MS = Date.UTC(2030, 0, 1)
const ORGANIZATION_ID = '0ff1ce00-0000-4000-8000-000000000000'

/**
 * Opens an office: an engine in memory, with a clock that stands still until it is turned, that executes everything twice and complains if
 * the outcomes differ. Errors have as their `cause` what the functions under test threw; notices are printed, unless `onNotice` takes
 * them. The same calls in the same order make the same activities, also in another process.
 */
export const office = async (options: OfficeOptions = {}): Promise<Office> => (await openOffice(options)).office

export type OpenedOffice = {
  readonly office: Office
  /** Lets time pass that the people do not notice: the times of their requests stay the same. */
  readonly pass: (byMs: number) => Promise<void>
  /** Leaves the engine as it is, as if its process had died: nothing wakes it any more. */
  readonly abandon: () => void
}

export const openOffice = async ({
  resources = [],
  startMs = START_MS,
  store = memoryStore(),
  ...options
}: OfficeOptions): Promise<OpenedOffice> => {
  const clock = manualClock(startMs)
  let toldMs = startMs
  const all = [...publicApi, ...resources]
  const parts = nodeContainer()
  const settings = {
    executeTwice: true,
    ...options,
    store,
    clock,
    resources: all,
    turns: noTurns,
    signatures: counted(parts.resolve(tokens.signatures)),
    attestations: counted(options.attestations ?? parts.resolve(tokens.attestations)),
  }
  // Whoever waits for this clock waits for the test, so nothing has to keep the process alive.
  const engine = await engineWith(settings, { pause, attend: (work) => work }, { now: () => toldMs })
  const rootKey = keyOf('root')
  await engine.createOrganization({
    name: 'Office',
    organizationId: ORGANIZATION_ID,
    key: rootKey,
    timestampMs: startMs,
  })
  const as = (key: SigningKey): Client => tellingClient(engine.as({ organizationId: ORGANIZATION_ID, key }))
  const root = { ...as(rootKey), name: 'root', userId: (await as(rootKey).query(whoami, {})).userId, key: rootKey }
  const tags = new Map<string, string>()
  const known = options.limits === undefined ? {} : { limits: [{ limits: options.limits }] }
  const tagOf = async (name: string): Promise<string> => {
    const found = tags.get(name)
    if (found !== undefined) return found
    const { result } = await root.submit(createUserTag, { userTagName: name, userIds: [] })
    const id = result?.userTagId ?? ''
    tags.set(name, id)
    return id
  }
  const made: Office = {
    engine,
    organizationId: ORGANIZATION_ID,
    root,
    tagId: (name) => tags.get(name) ?? unknownTag(name),
    enrol: async (name, { tags: names = [] } = {}) => {
      const userTags: string[] = []
      for (const one of names) userTags.push(await tagOf(one))
      const key = keyOf(name)
      const apiKeys = [{ apiKeyName: 'key', publicKey: key.publicKey, curveType: key.curve }]
      const users = [{ userName: name, apiKeys, authenticators: [], oauthProviders: [], userTags }]
      const { result } = await root.submit(createUsers, { users })
      return { ...as(key), name, userId: result?.userIds[0] ?? '', key }
    },
    clock: {
      now: clock.now,
      turn: (byMs) => {
        toldMs += byMs
        return turn(clock, byMs)
      },
    },
    audit: () => auditLog(exportLog(store.store), { resources: all, ...known }),
    missedForgeries: () => missedForgeries(store.store, { resources: all, ...known }),
    close: engine.close,
  }
  return { office: made, pass: (byMs) => turn(clock, byMs), abandon: clock.stop }
}

/** The client, whose errors have what the functions of an operation or a query threw as their `cause`. */
const tellingClient = (client: Client): Client => {
  const telling =
    <A extends readonly unknown[], R>(method: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> =>
      method(...args).catch((error: unknown) => {
        const cause = error instanceof Error ? thrownBehind(error) : undefined
        throw cause === undefined ? error : Object.assign(error as Error, { cause }) // it has one
      })
  const { submit, submitAndWait, query, approve, reject } = client
  return {
    ...client,
    submit: telling(submit),
    submitAndWait: telling(submitAndWait),
    query: telling(query),
    approve: telling(approve),
    reject: telling(reject),
  }
}

/** The key of a name: the same in every run, so that a story can be told again. */
const keyOf = (name: string): SigningKey =>
  orThrow(signingKey('API_KEY_CURVE_ED25519', createHash('sha256').update(`office of ${name}`).digest('hex')))

const unknownTag = (name: string): never => {
  throw new Error(`nobody was enrolled with the tag ${name}`)
}

const turn = async (clock: ManualClock, byMs: number): Promise<void> => {
  const endMs = clock.now() + byMs
  for (;;) {
    await quiet()
    const nextMs = clock.nextMs()
    if (nextMs === undefined || nextMs > endMs) break
    clock.set(nextMs)
    clock.wake()
  }
  clock.set(endMs)
  await quiet()
}
