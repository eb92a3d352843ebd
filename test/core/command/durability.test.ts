import { profile } from '../../../core/organization/profile.ts'
import { withHost } from '../world/with-host.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failure } from '../../../core/failure.ts'
import type { Operation } from '../../../core/definition/operation.ts'
import type { Telemetry } from '../../../core/ports/telemetry.ts'
import { E } from '../../../core/prelude.ts'
import { codeOf, right, stamped, world, type World } from '../world/world.ts'
import {
  after,
  conflicts,
  faultyStore,
  goesWell,
  heldAtAppend,
  notWritten,
  revisionConflicts,
  writtenThenConflict,
  writtenUnseen,
} from './faulty-store.ts'
import { inTime, isWaiting } from '../world/under-way.ts'
import { assertSound, eventsOf, storyOf } from './history.ts'
import { postNotice } from './notice.ts'
import { secondProcess } from './second-process.ts'

const it = suite('durability')

const tag = (userTagName: string) => ({ userTagName, userIds: [] })
const namesOf = async ({ answer, root }: World): Promise<readonly string[]> =>
  ((await answer(root, 'list_user_tags')).userTags as readonly { readonly tagName: string }[]).map((one) => one.tagName)

it('tells nobody anything before it is durable', async () => {
  const store = faultyStore()
  const w = await world({ store })
  const ada = await w.enrol('ada')
  const { begun: created, letGo } = await heldAtAppend(store, () => w.submit(w.root, 'create_user_tag', tag('ops')))
  const refused = w.submit(w.root, 'create_user_tag', tag('ops')) // the name is taken, if the first one lasts
  const denied = w.submit(ada, 'create_user_tag', tag('mine'))
  const asked = w.ask(w.root, 'list_user_tags')
  const listed = w.ask(w.root, 'list_activities')
  const all = Promise.race([created, refused, denied, asked, listed])
  assert.is(await isWaiting(all), true)
  letGo()
  assert.is(right(await created).status, 'ACTIVITY_STATUS_COMPLETED')
  assert.is(codeOf(await refused), 'REQUEST_INVALID')
  assert.is(codeOf(await denied), 'REQUEST_NOT_AUTHORIZED')
  assert.is((right(await asked).userTags as readonly unknown[]).length, 1)
  assert.is(E.isRight(await listed), true)
  await w.close()
})

it('tells whom a pending change lets in or out only when it is durable', async () => {
  const store = faultyStore()
  const w = await world({ store })
  const ada = await w.enrol('ada')
  const { begun: removed, letGo } = await heldAtAppend(store, () =>
    w.submit(w.root, 'delete_users', { userIds: [ada.userId] }),
  )
  const asks = w.ask(ada, 'whoami')
  assert.is(await isWaiting(asks), true)
  letGo(conflicts)
  assert.is(right(await removed).status, 'ACTIVITY_STATUS_COMPLETED')
  assert.is(codeOf(await w.ask(ada, 'whoami')), 'PUBLIC_KEY_NOT_FOUND')
  // It was asked while the removal was on its way, and waited for what became of that.
  assert.is(codeOf(await asks), 'PUBLIC_KEY_NOT_FOUND')
  await w.close()
})

for (const [name, fault] of Object.entries({ conflicts, revisionConflicts })) {
  it(`decides anew what stood on a refused commit: ${name}`, async () => {
    const store = faultyStore()
    const w = await world({ store })
    const { begun: first, letGo } = await heldAtAppend(store, () => w.submit(w.root, 'create_user_tag', tag('a')))
    const others = ['b', 'c', 'a'].map((each) => w.submit(w.root, 'create_user_tag', tag(each)))
    const asked = w.ask(w.root, 'list_user_tags')
    letGo(fault)
    const outcomes = await Promise.all([first, ...others])
    assert.equal(outcomes.map(codeOf).sort(), ['REQUEST_INVALID', 'no failure', 'no failure', 'no failure'])
    assert.equal([...(await namesOf(w))].sort(), ['a', 'b', 'c'])
    assert.is(E.isRight(await asked), true)
    assertSound(await eventsOf(w))
    await w.close()
  })
}

for (const [name, faults] of Object.entries({
  'written, but not told': [writtenUnseen],
  'not written, and not told': [notWritten],
  'both, many times over': [notWritten, writtenUnseen, notWritten, writtenUnseen],
  'written, and then said to conflict': [writtenThenConflict],
  'written and not told, then said to conflict': [writtenUnseen, conflicts],
})) {
  it(`keeps exactly one copy: ${name}`, async () => {
    const store = faultyStore()
    const w = await world({ store })
    store.plan(...faults)
    const before = (await eventsOf(w)).length
    const activity = right(await inTime(w.clock, w.submit(w.root, 'create_user_tag', tag('ops'))))
    assert.is(activity.status, 'ACTIVITY_STATUS_COMPLETED')
    assert.equal(await storyOf(w, activity.id), ['Created', 'Completed'])
    assert.is((await eventsOf(w)).length, before + 2)
    const listed = right(await inTime(w.clock, w.ask(w.root, 'list_activities'))).activities
    assert.is((listed as readonly { readonly id: string }[])[0]?.id, activity.id)
    await w.close()
  })
}

it('keeps the very same event ids while it asks what became of a commit', async () => {
  const store = faultyStore()
  const w = await world({ store })
  const before = store.attempts.length
  store.plan(notWritten, writtenUnseen)
  right(await inTime(w.clock, w.submit(w.root, 'create_user_tag', tag('ops'))))
  const tried = store.attempts.slice(before).map(({ events }) => events.map(({ id }) => id).join())
  assert.is(tried.length, 3)
  assert.is(new Set(tried).size, 1)
  await w.close()
})

it('says that the store does not answer, and meets the activity when it is asked again', async () => {
  const store = faultyStore()
  const w = await world({ store })
  store.plan(writtenUnseen, ...Array.from({ length: 6 }, () => notWritten))
  const body = w.body('create_user_tag', tag('ops'))
  assert.is(codeOf(await inTime(w.clock, w.send(w.root, 'create_user_tag', body))), 'UNAVAILABLE')
  const listed = await inTime(w.clock, w.answer(w.root, 'list_activities')) // nobody told the projection of it
  const [newest] = listed.activities as readonly { readonly id: string }[]
  const again = right(await w.send(w.root, 'create_user_tag', body))
  assert.is(again.status, 'ACTIVITY_STATUS_COMPLETED')
  assert.is(newest?.id, again.id)
  assert.equal(await storyOf(w, again.id), ['Created', 'Completed'])
  await w.close()
})

it('says so when a store cannot even be read', async () => {
  const store = faultyStore()
  const w = await world({ store, organizationsMax: 1 })
  const other = await world({ store, testClock: w.clock })
  store.outage = failure('UNAVAILABLE', 'the store does not answer')
  assert.is(codeOf(await inTime(w.clock, w.submit(w.root, 'create_user_tag', tag('ops')))), 'UNAVAILABLE')
  store.outage = undefined
  right(await w.submit(w.root, 'create_user_tag', tag('ops')))
  await other.close()
})

it('takes no activity for absent that it could not look up', async () => {
  const store = faultyStore()
  const w = await world({ store })
  const body = w.body('create_user_tag', tag('ops'))
  const done = right(await w.send(w.root, 'create_user_tag', body))
  const later = await secondProcess(w)
  const whoami = new TextEncoder().encode(JSON.stringify({ organizationId: w.organizationId }))
  right(await later.query('whoami', stamped(w.root, whoami))())
  const again = (path: string, bytes: Uint8Array) => inTime(w.clock, later.submit(path, stamped(w.root, bytes))())
  store.outage = failure('UNAVAILABLE', 'the store does not answer')
  assert.is(codeOf(await again('create_user_tag', body)), 'UNAVAILABLE')
  const vote = w.body('approve_activity', { fingerprint: done.fingerprint })
  assert.is(codeOf(await again('approve_activity', vote)), 'UNAVAILABLE')
  store.outage = undefined
  assert.is(right(await again('create_user_tag', body)).id, done.id)
  await w.close()
})

it('gives up where the log moves on each time, and counts how often it was refused', async () => {
  const store = faultyStore()
  const counted: string[] = []
  const telemetry: Telemetry = {
    span: (_name, _attributes, work) => work(),
    spanSync: (_name, _attributes, work) => work(),
    count: (name, by) => void counted.push(`${name} ${by}`),
    record: () => undefined,
    observe: () => () => undefined,
  }
  const w = await world({ store, telemetry })
  const before = store.attempts.length
  const plenty = Array.from({ length: 200 }, () => conflicts)
  store.plan(...plenty)
  assert.is(codeOf(await w.submit(w.root, 'create_user_tag', tag('ops'))), 'CONFLICT')
  const tries = store.attempts.length - before
  assert.ok(tries < plenty.length)
  assert.equal(
    counted.filter((each) => each.startsWith('countersign.conflicts')),
    Array.from({ length: tries }, () => 'countersign.conflicts 1'),
  )
})

it('lets only its maker fail for a commit that is too large', async () => {
  const store = faultyStore()
  const w = await world({ store })
  const { begun: large, letGo } = await heldAtAppend(store, () => w.submit(w.root, 'create_user_tag', tag('large')))
  const other = w.submit(w.root, 'create_user_tag', tag('other'))
  assert.is(await isWaiting(other), true)
  letGo(async (commits) => E.right(commits.map(() => ({ _tag: 'too-large', bytes: 9, bytesMax: 8 }))))
  assert.is(codeOf(await large), 'REQUEST_TOO_LARGE')
  assert.is(right(await other).status, 'ACTIVITY_STATUS_COMPLETED')
  assert.equal(await namesOf(w), ['other'])
  await w.close()
})

it('never appends what was decided on a refused commit', async () => {
  const store = faultyStore()
  const w = await world({ store })
  const before = store.attempts.length
  const { begun: first, letGo } = await heldAtAppend(store, () => w.submit(w.root, 'create_user_tag', tag('first')))
  const behind = w.submit(w.root, 'create_user_tag', tag('behind'))
  assert.is(await isWaiting(behind), true) // decided by now, and queued
  letGo(conflicts)
  await Promise.all([first, behind])
  const expected = store.attempts.slice(before).map((commit) => Number(commit.expected))
  const base = expected[0] ?? 0
  assert.equal(expected, [base, base, base + 2], 'the one behind was appended only after it was decided anew')
  await w.close()
})

it('decides nothing on a state that an operation left half worked when it threw', async () => {
  const notice = postNotice({ outside: false })
  const evolve: Operation['evolve'] = (draft, change, context) => {
    profile.in(draft).name = 'half worked'
    if (JSON.stringify(change).includes('boom')) throw new Error('boom')
    return notice.evolve(draft, change, context)
  }
  const w = await world({ store: faultyStore(), resources: withHost([{ ...notice, evolve }]) })
  assert.is(codeOf(await w.submit(w.root, 'post_notice', { text: 'boom' })), 'INTERNAL')
  assert.is((await w.answer(w.root, 'whoami')).organizationName, 'Default')
  right(await w.submit(w.root, 'create_user_tag', tag('ops')))
  assertSound(await eventsOf(w))
  await w.close()
})

it('finishes what was begun before it closes, and begins nothing after', async () => {
  const store = faultyStore()
  const w = await world({ store })
  const { begun, letGo } = await heldAtAppend(store, () => w.submit(w.root, 'create_user_tag', tag('ops')))
  const closed = w.close()
  assert.is(codeOf(await w.submit(w.root, 'create_user_tag', tag('late'))), 'UNAVAILABLE')
  assert.is(codeOf(await w.ask(w.root, 'whoami')), 'UNAVAILABLE')
  assert.is(codeOf(await w.engine.isReady()()), 'UNAVAILABLE')
  assert.is(await isWaiting(closed), true)
  letGo()
  assert.is(right(await begun).status, 'ACTIVITY_STATUS_COMPLETED')
  await closed
  assert.is((await eventsOf(w)).at(-1)?.activity, right(await begun).id)
})

it('decides anew behind another process that was faster', async () => {
  const store = faultyStore({ isShared: true })
  const w = await world({ store })
  const second = await secondProcess(w)
  const there = (userTagName: string) => {
    const body = w.body('create_user_tag', tag(userTagName))
    return second.submit('create_user_tag', stamped(w.root, body))()
  }
  store.plan(
    after(async () => right(await there('ops'))),
    goesWell,
  )
  assert.is(codeOf(await w.submit(w.root, 'create_user_tag', tag('ops'))), 'REQUEST_INVALID')
  store.plan(
    after(async () => right(await there('theirs'))),
    goesWell,
  )
  assert.is(right(await w.submit(w.root, 'create_user_tag', tag('ours'))).status, 'ACTIVITY_STATUS_COMPLETED')
  assert.equal(await namesOf(w), ['ops', 'theirs', 'ours'])
  right(await there('late'))
  assert.equal(await namesOf(w), ['ops', 'theirs', 'ours', 'late'], 'a query sees what the other process made durable')
  assertSound(await eventsOf(w))
})

it('refuses nothing because of what it has not heard yet', async () => {
  const w = await world({ store: faultyStore({ isShared: true }) })
  const second = await secondProcess(w)
  const submitThere = (path: string, parameters: Parameters<World['body']>[1]) =>
    second.submit(path, stamped(w.root, w.body(path, parameters)))()
  const created = right(await submitThere('create_user_tag', tag('ops')))
  const { userTagId } = created.result.createUserTagResult as { readonly userTagId: string }
  assert.is(codeOf(await w.submit(w.root, 'create_user_tag', tag('ops'))), 'REQUEST_INVALID')
  right(await submitThere('delete_user_tags', { userTagIds: [userTagId] }))
  right(await w.submit(w.root, 'create_user_tag', tag('ops')))
})

it('gives many processes on one organization one log', async () => {
  const w = await world({ store: faultyStore({ isShared: true }), limits: { userTags: 1_000 } })
  const engines = [w.engine, await secondProcess(w), await secondProcess(w)]
  const body = w.body('create_user_tag', tag('same'))
  const same = await Promise.all(engines.map((engine) => engine.submit('create_user_tag', stamped(w.root, body))()))
  assert.is(new Set(same.map((each) => right(each).id)).size, 1)
  const many = Array.from({ length: 12 }, (_, i) => {
    const bytes = w.body('create_user_tag', tag(`tag ${i}`))
    return (engines[i % 3] ?? w.engine).submit('create_user_tag', stamped(w.root, bytes))()
  })
  for (const each of await Promise.all(many)) right(each)
  const activities = assertSound(await eventsOf(w))
  assert.is(activities.size, 1 + 1 + 12)
})

it.run()
