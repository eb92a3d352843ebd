/* Makes a log whose decisions policies take, replays it, and takes its decisions again with other policies. */
import { nodeIds, publicApi } from 'countersign'
import { simulatePolicies } from 'countersign/policies'
import { createEngine, sqliteStore } from 'countersign/fp'
import { generateKey, stamper } from 'countersign/signatures'
import type * as SqliteStore from '../../../adapters/store-sqlite/open.ts'
import type * as Catalogues from '../../../core/definition/catalogue.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import type * as Replay from '../../../core/projection/replay.ts'
import { right } from './begun-history.ts'
import { built } from './built.ts'
import { doJobs } from './child.ts'
import { encode, renaming, seedOf, stampedBy } from './seed.ts'
import { timed, type Read } from './timed.ts'

const { openSqliteStore } = await built<typeof SqliteStore>('adapters/store-sqlite/open')
const { catalogue } = await built<typeof Catalogues>('core/definition/catalogue')
const { replayOrganization } = await built<typeof Replay>('core/projection/replay')

export type MadeLog = { readonly path: string; readonly organizationId: string; readonly tried: readonly Tried[] }
type Tried = {
  readonly policyName: string
  readonly effect: 'EFFECT_ALLOW'
  readonly condition: string
  readonly consensus: string
}

const POLICIES = 10
const IN_FLIGHT = 64

/** Policies of ordinary size: the last two are about what is asked, one of others, and one of the user, which allows. */
const policiesFor = (userId: string): readonly Tried[] =>
  Array.from({ length: POLICIES }, (_, n) => ({
    policyName: `policy ${n}`,
    effect: 'EFFECT_ALLOW',
    condition: `activity.resource == 'USER' && activity.action in ['CREATE', '${n >= POLICIES - 2 ? 'UPDATE' : 'DELETE'}']`,
    consensus: `approvers.any(user, user.id == '${n === POLICIES - 1 ? userId : nodeIds().uuid()}')`,
  }))

const make = async (
  { path, activities }: { readonly path: string; readonly activities: number },
  passed: (done: number) => void,
): Promise<MadeLog> => {
  const engine = await createEngine({ store: sqliteStore({ path }) })
  const [rootKey, key] = [generateKey('API_KEY_CURVE_P256'), generateKey('API_KEY_CURVE_P256')]
  const seed = await seedOf(engine, nodeIds().uuid(), rootKey)
  const { organizationId } = seed
  const submit = (type: string, route: string, parameters: Readonly<Record<string, unknown>>) => {
    const body = encode({ type, timestampMs: String(Date.now()), organizationId, parameters })
    return right(engine.submit(route, stampedBy(stamper(rootKey), body)))
  }
  const apiKeys = [{ apiKeyName: 'key', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }]
  const user = { userName: 'member', apiKeys, authenticators: [], oauthProviders: [], userTags: [] }
  const created = await submit('ACTIVITY_TYPE_CREATE_USERS_V4', 'create_users', { users: [user] })
  const { userIds } = Object.values(created.result)[0] as { readonly userIds: readonly string[] } // of this operation
  const tried = policiesFor(userIds[0] ?? '')
  await submit('ACTIVITY_TYPE_CREATE_POLICIES', 'create_policies', { policies: tried })
  const stamp = stamper(key)
  let next = 0
  const worker = async (): Promise<void> => {
    for (let n = next++; n < activities; n = next++) {
      await right(engine.submit('update_user_tag', stampedBy(stamp, renaming(seed, `${n}`))))
      if (n % 1_000 === 0) passed(n)
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker))
  await engine.close()
  return { path, organizationId, tried }
}

const reading = async (path: string, use: (store: Storage['store']) => Promise<number>): Promise<Read> => {
  const { store, readModels } = await right(openSqliteStore({ path, readOnly: true }))
  try {
    return await timed(() => use(store))
  } finally {
    await readModels.close()
    await store.close()
  }
}

/** As `countersign replay --organization`. */
const replay = ({ path, organizationId }: MadeLog): Promise<Read> =>
  reading(path, async (store) => {
    const known = await right(() => Promise.resolve(catalogue([...publicApi] as never)))
    return (await right(replayOrganization(store, known, organizationId))).events
  })

/** As `countersign policy simulate --organization`; gives the number of events. */
const simulate = ({ path, organizationId, tried }: MadeLog): Promise<Read> =>
  reading(path, async (store) => {
    const head = await right(store.head(organizationId))
    const { decisions, differences, unknown } = await simulatePolicies(store, tried, { organization: organizationId })
    if (differences + unknown > 0 || decisions === 0) throw new Error('the simulation found what is not there')
    return Number(head?.sequence ?? 0n)
  })

doJobs({ make, replay, simulate })
