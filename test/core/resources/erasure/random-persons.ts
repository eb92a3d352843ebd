import type { Json } from '../../../../core/failure.ts'
import type { Storage } from '../../../../core/ports/storage.ts'
import { E } from '../../../../core/prelude.ts'
import { erasure } from '../../../../core/resources/erasure/erasure.ts'
import { publicApi } from '../../../../core/resources/public-api.ts'
import type { ActivityView } from '../../../../core/view/activity-view.ts'
import { generateKey } from '../../../../adapters/signatures/signer.ts'
import { world, type Person, type World } from '../../world/world.ts'
import { eventsOf } from '../../command/history.ts'

export const resources = [...publicApi, ...erasure]

/** Numbers that choose what happens next. */
export type Step = { readonly act: number; readonly who: number; readonly whom: number; readonly some: number }

/** A history that was told. */
export type Told = {
  readonly w: World
  /** What each activity asked for. */
  readonly parameters: ReadonlyMap<string, Json>
  /** The users who were erased. */
  readonly erased: ReadonlySet<string>
}

type Town = {
  readonly w: World
  readonly parameters: Map<string, Json>
  readonly people: Person[]
  readonly users: string[]
  readonly gone: string[]
  readonly keys: { readonly userId: string; readonly apiKeyId: string }[]
  readonly tags: string[]
  readonly open: ActivityView[]
  names: number
}

/** Lets people do what the steps say, and erases some of them. A request may be refused, but never for a fault of the server. */
export const tellRandom = async (steps: readonly Step[], store: Storage): Promise<Told> => {
  const w = await world({ resources, store, snapshotEvery: 2, executeTwice: false })
  const town: Town = {
    w,
    parameters: new Map(),
    people: [w.root],
    users: [w.root.userId],
    gone: [],
    keys: [],
    tags: [],
    open: [],
    names: 0,
  }
  const [genesis] = await eventsOf(w)
  const beginning = { rootUsers: [{ userName: 'root', apiKeys: [{ apiKeyName: 'root' }] }] }
  if (genesis !== undefined) town.parameters.set(genesis.activity, beginning)
  town.people.push(await joins(town), await joins(town))
  for (const step of steps) await act(town, step)
  const erased = new Set<string>()
  for (const event of await eventsOf(w))
    if (event.type === 'ActivityCompleted' && event.data.type === 'ACTIVITY_TYPE_ERASE_USER')
      erased.add((event.data.change as { readonly userId: string }).userId)
  return { w, parameters: town.parameters, erased }
}

const pick = <A>(list: readonly A[], number: number): A | undefined => list[number % Math.max(1, list.length)]

const newName = (town: Town, kind: 'name' | 'key' = 'name'): string => `${kind} ${(town.names += 1)}`

const newKey = (town: Town, isShort = false) => {
  const key = generateKey('API_KEY_CURVE_P256')
  const { publicKey } = key
  const params = { apiKeyName: newName(town, 'key'), publicKey, curveType: 'API_KEY_CURVE_P256' }
  return { key, params: isShort ? { ...params, expirationSeconds: '600' } : params }
}

const newUser = (town: Town, some: number) => {
  const { key, params } = newKey(town)
  const apiKeys = some % 3 === 0 ? [params, newKey(town).params] : [params]
  const userName = newName(town)
  const user = { userName, apiKeys, authenticators: [], oauthProviders: [], userTags: town.tags.slice(0, some % 2) }
  const mail = some % 2 === 0 ? { userEmail: `${userName.replace(' ', '.')}@example.com` } : {}
  const phone = some % 4 === 1 ? { userPhoneNumber: `+1555${String(town.names).padStart(7, '0')}` } : {}
  return { key, user: { ...user, ...mail, ...phone } }
}

const send = async (town: Town, by: Person, path: string, asked: Json): Promise<ActivityView | undefined> => {
  const { w, parameters } = town
  w.clock.pass(1_000)
  const sent = await w.submit(by, path, asked)
  if (E.isLeft(sent)) {
    if (sent.left.code === 'INTERNAL') throw new Error(sent.left.message)
    return undefined
  }
  const view = sent.right
  if (!path.endsWith('_activity')) parameters.set(view.id, asked)
  if (view.status === 'ACTIVITY_STATUS_CONSENSUS_NEEDED') town.open.push(view)
  else learn(town, view)
  return view
}

const learn = (town: Town, { status, result }: ActivityView): void => {
  if (status !== 'ACTIVITY_STATUS_COMPLETED') return
  for (const [name, one] of Object.entries(result)) {
    const { userIds = [], userTagId } = one as { readonly userIds?: readonly string[]; readonly userTagId?: string }
    if (name === 'createUsersResult') town.users.push(...userIds)
    if (name === 'deleteUsersResult') town.gone.push(...userIds)
    if (userTagId !== undefined && name === 'createUserTagResult') town.tags.push(userTagId)
  }
}

/** A person who can sign. */
const joins = async (town: Town): Promise<Person> => {
  const { key, user } = newUser(town, 3)
  await send(town, town.w.root, 'create_users', { users: [user] })
  return { key, userId: town.users.at(-1) ?? '', apiKeyId: '' }
}

type Act = (town: Town, step: Step, by: Person) => Promise<unknown>

const asks =
  (path: string, asked: (town: Town, step: Step, userId: string) => Json): Act =>
  (town, step, by) =>
    send(town, by, path, asked(town, step, pick(town.users, step.whom) ?? ''))

const vote: Act = (town, { whom, some }, by) => {
  const open = pick(town.open, whom)
  if (open === undefined) return Promise.resolve()
  return send(town, by, some < 6 ? 'approve_activity' : 'reject_activity', { fingerprint: open.fingerprint })
}

const erase: Act = async (town, { whom, some }, by) => {
  const userId = pick(town.gone, whom)
  if (userId !== undefined) await send(town, by, 'erase_user', { userId, requests: some % 2 === 0 ? 'NAMING' : 'MADE' })
}

const deleteKey: Act = async (town, { whom }, by) => {
  const key = pick(town.keys, whom)
  if (key !== undefined) await send(town, by, 'delete_api_keys', { userId: key.userId, apiKeyIds: [key.apiKeyId] })
}

const createKeys: Act = async (town, { whom, some }, by) => {
  const userId = pick(town.users, whom) ?? ''
  const apiKeys = [newKey(town).params, ...(some % 2 === 0 ? [newKey(town, true).params] : [])]
  const view = await send(town, by, 'create_api_keys', { userId, apiKeys })
  const [made] = Object.values(view?.result ?? {}) as { readonly apiKeyIds?: readonly string[] }[]
  for (const apiKeyId of made?.apiKeyIds ?? []) town.keys.push({ userId, apiKeyId })
}

const updated = (town: Town, { some }: Step, userId: string): Json => ({
  userId,
  ...(some % 2 === 0 ? { userName: newName(town) } : {}),
  ...(some % 3 === 0 ? { userEmail: some === 0 ? '' : `${newName(town).replace(' ', '.')}@example.com` } : {}),
  ...(some % 5 === 1 ? { userPhoneNumber: `+1555${String(town.names).padStart(7, '0')}` } : {}),
})

const mailOf = (town: Town): string => `${newName(town).replace(' ', '.')}@example.com`
const phoneOf = (town: Town, some: number): string => (some < 3 ? '' : `+1556${String(town.names).padStart(7, '0')}`)

const quorumOf = ({ people }: Town, { some }: Step): Json => ({
  threshold: 1 + (some % 2),
  userIds: people.slice(0, 2).map(({ userId }) => userId),
})

const acts: readonly (readonly [weight: number, act: Act])[] = [
  [14, asks('create_users', (town, { some }) => ({ users: [newUser(town, some).user, newUser(town, some + 1).user] }))],
  [8, asks('update_user', updated)],
  [2, asks('update_user_name', (town, _, userId) => ({ userId, userName: newName(town) }))],
  [2, asks('update_user_email', (town, { some }, userId) => ({ userId, userEmail: some < 3 ? '' : mailOf(town) }))],
  [2, asks('update_user_phone_number', (town, { some }, userId) => ({ userId, userPhoneNumber: phoneOf(town, some) }))],
  [8, createKeys],
  [4, deleteKey],
  [16, asks('delete_users', (_, __, userId) => ({ userIds: [userId] }))],
  [20, erase],
  [6, asks('create_user_tag', (town, _, userId) => ({ userTagName: newName(town), userIds: [userId] }))],
  [4, asks('update_root_quorum', quorumOf)],
  [14, vote],
]

/** Mostly members of the root quorum do it; sometimes somebody who may not. */
const act = async (town: Town, step: Step): Promise<void> => {
  const by = pick(town.people, step.who % 4 === 3 ? step.who : 0) ?? town.w.root
  let left = step.act
  for (const [weight, one] of acts) {
    left -= weight
    if (left < 0) return void (await one(town, step, one === vote ? (town.people[1] ?? by) : by))
  }
}
