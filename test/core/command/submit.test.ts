import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../../core/failure.ts'
import type { Notice } from '../../../core/ports/notice.ts'
import { E } from '../../../core/prelude.ts'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { codeOf, right, stamped, testClock, world, type World } from '../world/world.ts'
import { faultyStore } from './faulty-store.ts'
import { inTime } from '../world/under-way.ts'
import { assertSound, eventsOf, storyOf } from './history.ts'
import { secondProcess } from './second-process.ts'

const it = suite('submit')

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const tag = (userTagName: string) => ({ userTagName, userIds: [] })
const count = async (w: World): Promise<number> => (await eventsOf(w)).length

it('makes one activity of a thousand identical bodies', async () => {
  const w = await world()
  const body = w.body('create_user_tag', tag('ops'))
  const before = await count(w)
  const request = stamped(w.root, body)
  const all = await Promise.all(Array.from({ length: 1000 }, () => w.engine.submit('create_user_tag', request)()))
  assert.is(new Set(all.map((each) => right(each).id)).size, 1)
  assert.is(new Set(all.map((each) => right(each).status)).size, 1)
  assert.is(await count(w), before + 2)
  await w.close()
})

it('gives an activity back for its body: after its time window, after a restart, in another process', async () => {
  const store = faultyStore({ isShared: true })
  const w = await world({ store })
  const body = w.body('create_user_tag', tag('ops'))
  const first = right(await w.send(w.root, 'create_user_tag', body))
  const before = await count(w)
  w.clock.pass(30 * HOUR)
  assert.equal(right(await w.send(w.root, 'create_user_tag', body)), first)
  const second = await secondProcess(w)
  assert.equal(right(await second.submit('create_user_tag', stamped(w.root, body))()), first)
  assert.is(await count(w), before)
  assert.is(first.votes.length, 1)
})

it('gives it back, too, where the clock of its caller goes ahead of ours', async () => {
  const store = faultyStore()
  const w = await world({ store })
  const body = w.body('create_user_tag', tag('ops'), { timestampMs: String(w.clock.now() + 5 * MINUTE) })
  const first = right(await w.send(w.root, 'create_user_tag', body))
  w.clock.pass(MINUTE)
  const second = await secondProcess(w) // the body is younger than its memory
  assert.equal(right(await second.submit('create_user_tag', stamped(w.root, body))()), first)
})

it('gives it back where hundreds were finished since, and asks the store to commit nothing', async () => {
  const store = faultyStore()
  const w = await world({ store })
  w.clock.pass(1)
  const body = w.body('create_user_tag', tag('ops'))
  const first = right(await w.send(w.root, 'create_user_tag', body))
  const created = first.result['createUserTagResult'] as { readonly userTagId: string } // of this operation
  for (let n = 0; n < 200; n += 1) {
    const renaming = { ...created, newUserTagName: `${n}`, addUserIds: [], removeUserIds: [] }
    right(await w.send(w.root, 'update_user_tag', w.body('update_user_tag', renaming)))
  }
  const [before, attempts] = [await count(w), store.attempts.length]
  assert.equal(right(await w.send(w.root, 'create_user_tag', body)), first)
  assert.equal(right(await w.send(w.root, 'create_user_tag', body)), first)
  assert.equal([await count(w), store.attempts.length], [before, attempts])
  await w.close()
})

it('gives it back when it was forgotten after a refused commit', async () => {
  const store = faultyStore()
  const w = await world({ store })
  w.clock.pass(1)
  const body = w.body('create_user_tag', tag('ops'))
  const first = right(await w.send(w.root, 'create_user_tag', body))
  store.plan(async (commits) => E.right(commits.map(() => ({ _tag: 'conflict', sequence: 0n, position: 0n }))))
  right(await w.submit(w.root, 'create_user_tag', tag('other')))
  assert.equal(right(await w.send(w.root, 'create_user_tag', body)), first)
  await w.close()
})

it('makes another activity of another time', async () => {
  const w = await world()
  const parameters = { userId: w.root.userId, userName: 'root' }
  const first = await w.done(w.root, 'update_user', parameters, { timestampMs: String(w.clock.now()) })
  const second = await w.done(w.root, 'update_user', parameters, { timestampMs: String(w.clock.now() - 1) })
  assert.is.not(first.id, second.id)
  await w.close()
})

it('repeats the denial of a denied activity to its requester, for ever', async () => {
  const store = faultyStore({ isShared: true })
  const w = await world({ store })
  const ada = await w.enrol('ada')
  const body = w.body('create_user_tag', tag('ops'))
  const denial = await w.send(ada, 'create_user_tag', body)
  assert.is(codeOf(denial), 'REQUEST_NOT_AUTHORIZED')
  const before = await count(w)
  assert.equal(await w.send(ada, 'create_user_tag', body), denial)
  await w.done(w.root, 'create_policy', { policyName: 'all', effect: 'EFFECT_ALLOW', notes: '' })
  w.clock.pass(48 * HOUR)
  assert.equal(await w.send(ada, 'create_user_tag', body), denial)
  const second = await secondProcess(w)
  assert.equal(await second.submit('create_user_tag', stamped(ada, body))(), denial)
  assert.is(await count(w), before + 2, 'nothing but the policy')
  const [stored] = (await w.answer(ada, 'list_activities', { filterByStatus: ['ACTIVITY_STATUS_REJECTED'] }))
    .activities as readonly { readonly id: string }[]
  assert.equal(await storyOf(w, stored?.id ?? ''), ['Created'])
})

it('shows a voted-down activity to its requester', async () => {
  const w = await world()
  const ada = await w.enrol('ada')
  await w.done(w.root, 'update_root_quorum', { threshold: 2, userIds: [w.root.userId, ada.userId] })
  const body = w.body('create_user_tag', tag('ops'))
  const pending = right(await w.send(w.root, 'create_user_tag', body))
  right(await w.reject(ada, pending))
  assert.is(right(await w.send(w.root, 'create_user_tag', body)).status, 'ACTIVITY_STATUS_REJECTED')
  await w.close()
})

it('takes times less than an hour old and at most five minutes ahead, to the millisecond', async () => {
  const w = await world()
  const { root, clock } = w
  let n = 0
  const at = async (timestampMs: Json) => {
    n += 1
    return codeOf(await w.submit(root, 'create_user_tag', tag(`tag ${n}`), { timestampMs }))
  }
  const now = clock.now()
  for (const ms of [now, now - HOUR + 1, now + 5 * MINUTE]) {
    assert.is(await at(String(ms)), 'no failure')
    assert.is(await at(ms), 'no failure')
  }
  for (const ms of [now - HOUR, now + 5 * MINUTE + 1, 0, 1]) {
    assert.is(await at(String(ms)), 'REQUEST_INVALID')
    assert.is(await at(ms), 'REQUEST_INVALID')
  }
  const odd: readonly Json[] = [
    '',
    '007',
    '1e3',
    `0${now}`,
    `+${now}`,
    ` ${now}`,
    '9223372036854775808',
    '-1',
    -1,
    now + 0.5,
    null,
    true,
  ]
  for (const each of odd) assert.is(await at(each), 'REQUEST_INVALID', JSON.stringify(each))
  await w.close()
})

it('forgets what it refused: a corrected request with the same body text may come', async () => {
  const w = await world()
  const before = await count(w)
  const body = w.body('create_user_tag', tag('ops'), { timestampMs: String(w.clock.now() + 6 * MINUTE) })
  assert.is(codeOf(await w.send(w.root, 'create_user_tag', body)), 'REQUEST_INVALID')
  assert.is(await count(w), before)
  w.clock.pass(2 * MINUTE)
  right(await w.send(w.root, 'create_user_tag', body))
  await w.close()
})

it('refuses a type that does not belong to the path, and a path that is none', async () => {
  const w = await world()
  assert.is(
    codeOf(await w.submit(w.root, 'create_user_tag', tag('a'), { type: 'ACTIVITY_TYPE_DELETE_USERS' })),
    'REQUEST_INVALID',
  )
  assert.is(
    codeOf(await w.submit(w.root, 'approve_activity', { fingerprint: 'x' }, { type: 'ACTIVITY_TYPE_REJECT_ACTIVITY' })),
    'REQUEST_INVALID',
  )
  for (const path of ['create_organizations', '__proto__', 'toString', '']) {
    assert.is(
      codeOf(await w.submit(w.root, path, {}, { type: 'ACTIVITY_TYPE_CREATE_ORGANIZATION' })),
      'ROUTE_NOT_FOUND',
    )
  }
  await w.close()
})

const misspelt: readonly (readonly [kind: 'submit' | 'query', path: string, says: string])[] = [
  ['submit', 'create_polcy', 'no such operation; did you mean create_policy?'],
  ['submit', 'aprove_activity', 'no such operation; did you mean approve_activity?'],
  ['submit', 'wire_transfer', 'no such operation'],
  ['query', 'list_user', 'no such query; did you mean list_users?'],
  ['query', 'wires', 'no such query'],
  ['query', 'x'.repeat(10_000), 'no such query'],
]

it('names the path that was probably meant', async () => {
  const w = await world()
  for (const [kind, path, says] of misspelt) {
    const refused = await w.engine[kind](path, { headers: {}, body: new Uint8Array(), address: null })()
    assert.equal(E.isLeft(refused) && [refused.left.code, refused.left.message], ['ROUTE_NOT_FOUND', says])
  }
  await w.close()
})

it('keeps organizations apart: nobody acts in one of which they are not', async () => {
  const store = memoryStore()
  const clock = testClock()
  const [here, there] = [await world({ store, testClock: clock }), await world({ store, testClock: clock })]
  const foreign = here.body('create_user_tag', tag('a'), { organizationId: there.organizationId })
  assert.is(codeOf(await here.send(here.root, 'create_user_tag', foreign)), 'PUBLIC_KEY_NOT_FOUND')
  const nowhere = here.body('create_user_tag', tag('a'), { organizationId: nodeIds().uuid() })
  assert.is(codeOf(await here.send(here.root, 'create_user_tag', nowhere)), 'ORGANIZATION_NOT_FOUND')
  const pending = await here.done(here.root, 'create_user_tag', tag('b'))
  const vote = there.body('approve_activity', { fingerprint: pending.fingerprint })
  assert.is(codeOf(await there.send(there.root, 'approve_activity', vote)), 'ACTIVITY_NOT_FOUND')
})

it('refuses nobody by what it remembers, when another process has registered the key since', async () => {
  const w = await world({ store: faultyStore({ isShared: true }) })
  const second = await secondProcess(w)
  const key = generateKey('API_KEY_CURVE_P256')
  const apiKeys = [{ apiKeyName: 'key', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }]
  const user = { userName: 'ada', apiKeys, authenticators: [], oauthProviders: [], userTags: [] }
  assert.is(codeOf(await w.ask({ key }, 'whoami')), 'PUBLIC_KEY_NOT_FOUND')
  right(await second.submit('create_users', stamped(w.root, w.body('create_users', { users: [user] })))())
  assert.is(codeOf(await w.submit({ key }, 'create_user_tag', tag('ops'))), 'REQUEST_NOT_AUTHORIZED')
})

it('closes an organization whose log holds an event that it does not know', async () => {
  const store = faultyStore()
  const w = await world({ store })
  const other = await world({ store, testClock: w.clock })
  const [last] = (await eventsOf(w)).slice(-1)
  if (last === undefined) throw new Error('no events')
  const line = new TextEncoder().encode(
    JSON.stringify({
      ...last,
      sequence: String(last.sequence + 1n),
      revision: '3',
      type: 'ActivityForgotten',
      id: 'new',
    }),
  )
  const events = [{ id: 'new', activity: last.activity, revision: 3n, line, parts: [] }]
  right(await store.store.append([{ organization: w.organizationId, expected: 'any', events, checks: [] }])())
  const notices: Notice[] = []
  const onNotice = (notice: Notice): void => {
    if (notice.context?.['projection'] === undefined) notices.push(notice) // projections park it, too
  }
  const cold = await secondProcess(w, { onNotice })
  const submitted = await cold.submit('create_user_tag', stamped(w.root, w.body('create_user_tag', tag('a'))))()
  assert.is(codeOf(submitted), 'ORGANIZATION_CLOSED')
  const body = new TextEncoder().encode(JSON.stringify({ organizationId: w.organizationId }))
  assert.is(codeOf(await cold.query('whoami', stamped(w.root, body))()), 'ORGANIZATION_CLOSED')
  const [notice, ...more] = notices
  assert.equal(notice?.context, { code: 'ORGANIZATION_CLOSED', organization: w.organizationId })
  assert.match(notice?.message ?? '', /^the organization takes no commands and answers no queries: /)
  assert.equal(more, [], 'it is told once, however many requests come')
  const elsewhere = await cold.submit('create_user_tag', stamped(other.root, other.body('create_user_tag', tag('a'))))()
  assert.is(right(elsewhere).status, 'ACTIVITY_STATUS_COMPLETED')
})

it('serves many organizations with room for few', async () => {
  const store = faultyStore()
  const first = await world({ store, organizationsMax: 2 })
  const worlds = [first]
  while (worlds.length < 6) {
    const next = await world({ store, organizationsMax: 2, testClock: first.clock })
    worlds.push({ ...next, send: (person, path, body) => first.engine.submit(path, stamped(person, body))() })
  }
  const all = Array.from({ length: 10 }, (_, round) =>
    worlds.map((w) => w.send(w.root, 'create_user_tag', w.body('create_user_tag', tag(`tag ${round}`)))),
  )
  for (const each of await inTime(first.clock, Promise.all(all.flat()))) right(each)
  for (const w of worlds) assert.is(assertSound(await eventsOf(w)).size, 11)
})

it.run()
