import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decodeUtf8 } from '../../../core/bytes.ts'
import type { Json } from '../../../core/failure.ts'
import { decodeEvent } from '../../../core/log/event.ts'
import { deletedUsers } from '../../../core/organization/deleted-users.ts'
import { flatten } from '../../../core/organization/snapshot.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { erasure, eraseUser } from '../../../core/resources/erasure/erasure.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import type { ActivityView } from '../../../core/view/activity-view.ts'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { openSqliteStore } from '../../../adapters/store-sqlite/open.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { codeOf, right, stamped, world, type World } from '../world/world.ts'
import { audited, exported } from '../audit/logs.ts'
import { recordsOf } from './history.ts'
import { secondProcess } from './second-process.ts'

const it = suite('erasing')

const resources = [...publicApi, ...erasure]
const NAME = 'Ada-canary'
const EMAIL = 'ada-canary@example.com'
const PHONE = '+14155550123'
const DEVICE = 'canary-laptop'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let files = 0
it.before(async () => void (folder = await temporaryFolder()))
it.after(() => folder.remove())

const userOf = (userName: string, device: string, more: { readonly [member: string]: Json }) => ({
  userName,
  apiKeys: [
    { apiKeyName: device, publicKey: generateKey('API_KEY_CURVE_P256').publicKey, curveType: 'API_KEY_CURVE_P256' },
  ],
  authenticators: [],
  oauthProviders: [],
  userTags: [],
  ...more,
})

const idsOf = ({ result }: ActivityView): readonly string[] =>
  (result['createUsersResult'] as { readonly userIds: readonly string[] }).userIds

/** All that a store gives of the log and of snapshots, as text. */
const textOf = async ({ store, readModels }: Storage, organizationId: string): Promise<string> => {
  const records = right(await store.readAll(0n, 10_000)())
  const snapshot = right(await readModels.snapshot(organizationId)())
  const bytes = [...records.flatMap(({ line, parts }) => [line, ...parts.map((part) => part.bytes)])]
  for (const part of snapshot?.parts ?? []) bytes.push(part.bytes)
  return bytes.map((one) => decodeUtf8(one) ?? '').join('\n')
}

const canaries = [NAME, EMAIL, PHONE, DEVICE]

/** Ada and Grace are created together, Ada is changed, votes and asks for things; then Ada is deleted. */
const history = async (w: World): Promise<{ readonly ada: string; readonly grace: string }> => {
  const users = [
    userOf(NAME, DEVICE, { userEmail: EMAIL }),
    userOf('Grace', 'phone', { userEmail: 'grace@example.com' }),
  ]
  const [ada = '', grace = ''] = idsOf(await w.done(w.root, 'create_users', { users }))
  await w.done(w.root, 'update_user', { userId: ada, userPhoneNumber: PHONE })
  await w.done(w.root, 'create_user_tag', { userTagName: 'ops', userIds: [grace] })
  await w.done(w.root, 'delete_users', { userIds: [ada] })
  return { ada, grace }
}

for (const [kind, open] of [
  ['memory', () => Promise.resolve(memoryStore())],
  ['SQLite', async () => right(await openSqliteStore({ path: `${folder.path}/${(files += 1)}.db` })())],
] as const) {
  it(`removes names, contacts and the requests that hold them, and nothing else: ${kind}`, async () => {
    const store = await open()
    const w = await world({ store, resources, snapshotEvery: 1 })
    const { ada, grace } = await history(w)
    const before = await textOf(w.storage, w.organizationId)
    for (const canary of canaries) assert.ok(before.includes(canary), canary)
    const lines = (await recordsOf(w)).map(({ line }) => decodeUtf8(line))

    const erased = await w.done(w.root, 'erase_user', { userId: ada })
    assert.is(erased.status, 'ACTIVITY_STATUS_COMPLETED')
    assert.equal(erased.result, { eraseUserResult: { userId: ada, erasedParts: 4 } })

    const after = await textOf(w.storage, w.organizationId)
    for (const canary of canaries) assert.not.ok(after.includes(canary), canary)
    assert.ok(after.includes('grace@example.com'))
    const records = await recordsOf(w)
    assert.equal(
      records.slice(0, lines.length).map(({ line }) => decodeUtf8(line)),
      lines,
    )
    const { user } = await w.answer(w.root, 'get_user', { userId: grace })
    assert.is((user as { readonly userName: string }).userName, 'Grace')
    const findings = (await audited(await exported(w.storage.store), {}, [eraseUser])).findings
    assert.equal(findings, [])
    await w.close()
  })
}

it('leaves the same state in memory as a fold of what is left, after a restart too', async () => {
  const w = await world({ resources, snapshotEvery: 1 })
  const { ada } = await history(w)
  await w.done(w.root, 'erase_user', { userId: ada })
  const folded = right(await w.engine.replayOrganization(w.organizationId)()).state
  assert.not.ok(JSON.stringify(flatten(folded)).includes('canary'))
  assert.equal([...deletedUsers.of(folded)], [[ada, { sequence: '10', isErased: true }]])
  const second = await secondProcess(w, { resources })
  const body = new TextEncoder().encode(JSON.stringify({ organizationId: w.organizationId }))
  assert.not.ok(
    JSON.stringify(right(await second.query('list_activities', stamped(w.root, body))())).includes('canary'),
  )
  await second.close()
})

it('shows activities without what was erased: no intent, no message of a vote', async () => {
  const w = await world({ resources })
  const { ada } = await history(w)
  await w.done(w.root, 'erase_user', { userId: ada })
  const { activities } = await w.answer(w.root, 'list_activities', { paginationOptions: { limit: '100' } })
  assert.not.ok(JSON.stringify(activities).includes('canary'))
  assert.ok(JSON.stringify(activities).includes('ops')) // the other activities are shown whole
})

it('keeps the requests that the user made, unless it is asked for', async () => {
  const w = await world({ resources })
  const ada = await w.enrol('ada')
  await w.done(w.root, 'create_policy', {
    policyName: 'ada',
    effect: 'EFFECT_ALLOW',
    condition: 'true',
    consensus: `approvers.any(user, user.id == '${ada.userId}')`,
    notes: '',
  })
  const made = await w.done(ada, 'create_user_tag', { userTagName: 'made by ada', userIds: [] })
  await w.done(w.root, 'delete_users', { userIds: [ada.userId] })
  const places = async (requests: string) =>
    (await w.answer(w.root, 'list_personal_places', { userId: ada.userId, requests })).places as readonly {
      readonly activityId: string
    }[]
  assert.not.ok((await places('NAMING')).some(({ activityId }) => activityId === made.id))
  assert.ok((await places('MADE')).some(({ activityId }) => activityId === made.id))
  await w.done(w.root, 'erase_user', { userId: ada.userId, requests: 'MADE' })
  const requests = (await recordsOf(w)).filter(({ activity }) => activity === made.id).map(({ parts }) => parts.length)
  assert.equal(requests, [0, 0])
})

it('refuses a user who is still there, who never was, and who is erased already, and stores nothing', async () => {
  const w = await world({ resources })
  const { ada, grace } = await history(w)
  const count = async (): Promise<number> => (await recordsOf(w)).length
  const stored = await count()
  for (const userId of [grace, w.root.userId, '00000000-0000-8000-8000-000000000001']) {
    const refused = await w.submit(w.root, 'erase_user', { userId })
    assert.is(codeOf(refused), 'REQUEST_INVALID')
    assert.ok(JSON.stringify(refused).includes('"field":"userId"'))
  }
  assert.is(codeOf(await w.submit(w.root, 'erase_user', { userId: ada, requests: 'ALL' })), 'REQUEST_INVALID')
  assert.is(await count(), stored)
  await w.done(w.root, 'erase_user', { userId: ada })
  const again = await w.submit(w.root, 'erase_user', { userId: ada })
  assert.ok(JSON.stringify(again).includes('erased already'))
})

it('only the root quorum may, without a policy; and nothing that names the user comes back in a denied request', async () => {
  const w = await world({ resources })
  const eve = await w.enrol('eve')
  const { ada } = await history(w)
  assert.is(codeOf(await w.submit(eve, 'erase_user', { userId: ada })), 'REQUEST_NOT_AUTHORIZED')
  await w.done(w.root, 'erase_user', { userId: ada })
  const refused = await w.submit(eve, 'update_user', { userId: ada, userName: NAME })
  assert.is(codeOf(refused), 'RESOURCE_NOT_FOUND')
  assert.not.ok((await textOf(w.storage, w.organizationId)).includes(NAME))
})

it('waits for approvals like any other activity', async () => {
  const w = await world({ resources })
  const { ada } = await history(w)
  const bob = await w.enrol('bob')
  await w.done(w.root, 'update_root_quorum', { threshold: 2, userIds: [w.root.userId, bob.userId] })
  const waiting = await w.done(w.root, 'erase_user', { userId: ada })
  assert.is(waiting.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  assert.ok((await textOf(w.storage, w.organizationId)).includes(NAME))
  assert.is(right(await w.approve(bob, waiting)).status, 'ACTIVITY_STATUS_COMPLETED')
  assert.not.ok((await textOf(w.storage, w.organizationId)).includes(NAME))
})

it('forgets what another process has erased, and its snapshots from before', async () => {
  const w = await world({ resources, snapshotEvery: 1 })
  const { ada } = await history(w)
  const second = await secondProcess(w, { resources, snapshotEvery: 1 })
  const body = new TextEncoder().encode(JSON.stringify({ organizationId: w.organizationId }))
  const listed = async (): Promise<string> =>
    JSON.stringify(right(await second.query('list_activities', stamped(w.root, body))()))
  assert.ok((await listed()).includes(NAME))
  await w.done(w.root, 'erase_user', { userId: ada })
  assert.not.ok((await listed()).includes(NAME))
  await second.close()
})

it('throws away a snapshot that is older than an erasure', async () => {
  const w = await world({ resources, snapshotEvery: 1 })
  const { ada } = await history(w)
  const older = right(await w.storage.readModels.snapshot(w.organizationId)())
  await w.done(w.root, 'erase_user', { userId: ada })
  const again = await secondProcess(w, { resources })
  if (older === undefined) throw new Error('no snapshot')
  const drops = right(await w.storage.readModels.snapshotDrops(w.organizationId)())
  right(await w.storage.readModels.saveSnapshot(older, undefined, drops)())
  const body = new TextEncoder().encode(JSON.stringify({ organizationId: w.organizationId }))
  right(await again.query('list_users', stamped(w.root, body))())
  assert.is(right(await w.storage.readModels.snapshot(w.organizationId)()), undefined)
  await again.close()
})

it('says in each line whose data its request holds', async () => {
  const w = await world({ resources })
  const { ada, grace } = await history(w)
  const subjects = (await recordsOf(w)).flatMap(({ line }) => {
    const event = right(decodeEvent(line))
    return event.type === 'ActivityCreated' ? [event.data.subjects ?? []] : []
  })
  assert.equal(subjects, [[w.root.userId], [ada, grace], [ada], [], []])
})

it.run()
