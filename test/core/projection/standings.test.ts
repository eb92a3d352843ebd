import { withHost } from '../world/with-host.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { anyCommit } from '../../../adapters/testing/any.ts'
import { failure, type Json } from '../../../core/failure.ts'
import { STANDINGS_VERSION } from '../../../core/log/standing.ts'
import { refuse } from '../../../core/definition/refuse.ts'
import type { EventStore } from '../../../core/ports/event-store.ts'
import type { Notice } from '../../../core/ports/notice.ts'
import { TE } from '../../../core/prelude.ts'
import { compareStandings } from '../../../core/projection/compare-standings.ts'
import { makeStandings } from '../../../core/projection/standings.ts'
import { codeOf, right, world } from '../world/world.ts'
import { faultyStore } from '../command/faulty-store.ts'
import { assertSound, eventsOf } from '../command/history.ts'
import { postNotice } from '../command/notice.ts'

const it = suite('the standings of activities')

const tag = (userTagName: string) => ({ userTagName, userIds: [] })

/** A world in which activities have come to every end there is, and some have not. */
const lively = async () => {
  const store = faultyStore()
  const run = (text: string) => {
    if (text === 'down') throw refuse('UNAVAILABLE', 'later')
    return { receipt: text }
  }
  const w = await world({ store, resources: withHost([postNotice({ outside: true, run })]) })
  const [ada, grace] = [await w.enrol('ada'), await w.enrol('grace')]
  await w.submit(ada, 'create_user_tag', tag('denied'))
  await w.done(w.root, 'create_policy', {
    policyName: 'two',
    effect: 'EFFECT_ALLOW',
    consensus: 'approvers.count() >= 2',
    notes: '',
  })
  for (const text of ['up', 'down']) await w.done(w.root, 'post_notice', { text })
  await w.approve(grace, await w.done(ada, 'post_notice', { text: 'by two' }))
  await w.approve(grace, await w.done(ada, 'create_user_tag', tag('completed')))
  await w.reject(grace, await w.done(ada, 'create_user_tag', tag('rejected')))
  const fails = await w.done(ada, 'create_user_tag', tag('failed'))
  await w.done(w.root, 'create_user_tag', tag('failed'))
  await w.approve(grace, fails)
  await w.done(ada, 'create_user_tag', tag('pending'))
  return { ...w, store, ada }
}

const everything = { limit: 1_000, ascending: true }

it('has for each activity the place and the type of its first event, and the status after its last', async () => {
  const w = await lively()
  const events = await eventsOf(w)
  const expected = [...assertSound(events).values()].map(({ activityId, type, status }) => {
    const first = events.findIndex(({ activity }) => activity === activityId)
    const [sequence, position] = [events[first]?.sequence, BigInt(first + 1)]
    return { organization: w.organizationId, activity: activityId, sequence, position, type, status }
  })
  assert.equal(right(await w.store.store.activities(w.organizationId, everything)()), expected)
  assert.equal(
    right(await w.store.store.pending(0n, 1_000)()),
    expected.filter(({ status }) => status === 'ACTIVITY_STATUS_PENDING'),
  )
  assert.is(expected.filter(({ status }) => status === 'ACTIVITY_STATUS_PENDING').length, 1, 'the notice that waits')
  assert.equal(right(await compareStandings(w.store.store)), [])
})

it('is made from the log where a store has none of this version, and is the same again', async () => {
  const w = await lively()
  const { store } = w.store
  const made = right(await store.activities(w.organizationId, everything)())
  const lost = made.map(({ organization, activity }) => ({ organization, activity, type: 'lost', status: 'lost' }))
  right(await store.setStandings(lost, 0n)())
  assert.is(right(await compareStandings(store)), undefined)
  const notices: Notice[] = []
  const make = () => makeStandings(store, (notice) => void notices.push(notice))
  right(await make())
  right(await make())
  assert.equal(right(await store.activities(w.organizationId, everything)()), made)
  assert.is(right(await store.standingsVersion()()), STANDINGS_VERSION)
  assert.is(notices.filter(({ message }) => message.includes('lists of activities')).length, 1)
})

it('is made of what can be read: a line that this version does not know gives none', async () => {
  const { store } = memoryStore()
  const unknown = anyCommit({ organization: 'acme' })
  right(await store.append([unknown])())
  right(await makeStandings(store, () => undefined))
  assert.equal(right(await store.activities('acme', everything)()), [])
  assert.is(right(await store.standingsVersion()()), STANDINGS_VERSION)
})

it('begins again after it was interrupted', async () => {
  const w = await lively()
  const { store } = w.store
  const made = right(await store.activities(w.organizationId, everything)())
  right(await store.setStandings([], 0n)())
  const failing: EventStore = {
    ...store,
    setStandings: (standings, version) =>
      version === 0n ? store.setStandings(standings, version) : TE.left(failure('UNAVAILABLE', 'the disk is full')),
  }
  assert.is(codeOf(await makeStandings(failing, () => undefined)), 'UNAVAILABLE')
  assert.is(right(await store.standingsVersion()()), 0n)
  right(await makeStandings(store, () => undefined))
  assert.equal(right(await store.activities(w.organizationId, everything)()), made)
})

it('lists by the status that the fold gives', async () => {
  const w = await lively()
  const folded = [...assertSound(await eventsOf(w)).values()]
  for (const status of ['COMPLETED', 'FAILED', 'REJECTED', 'CONSENSUS_NEEDED', 'PENDING'] as const) {
    const filterByStatus = [`ACTIVITY_STATUS_${status}`]
    const listed = (await w.answer(w.root, 'list_activities', { filterByStatus, paginationOptions: { limit: '100' } }))
      .activities as readonly { readonly id: string; readonly status: string }[]
    const expected = folded
      .filter((each) => each.status === `ACTIVITY_STATUS_${status}`)
      .map(({ activityId }) => activityId)
    assert.ok(expected.length > 0, status)
    assert.equal(listed.map(({ id }) => id).toReversed(), expected)
    assert.is(
      listed.every((each) => each.status === `ACTIVITY_STATUS_${status}`),
      true,
    )
  }
})

it('is listed page by page, forth and back', async () => {
  const w = await lively()
  const list = async (paginationOptions: Json): Promise<readonly string[]> =>
    (
      (await w.answer(w.root, 'list_activities', { paginationOptions })).activities as readonly {
        readonly id: string
      }[]
    ).map(({ id }) => id)
  const all = await list({ limit: '100' })
  const walked: string[] = []
  for (
    let page = await list({ limit: '3' });
    page.length > 0;
    page = await list({ limit: '3', before: walked.at(-1) ?? '' })
  )
    walked.push(...page)
  assert.equal(walked, all)
  assert.equal(await list({ limit: '2', after: all[5] ?? '' }), all.slice(3, 5))
})

it('lists what its caller has just done', async () => {
  const w = await world()
  for (let n = 0; n < 20; n += 1) {
    const { id } = await w.done(w.root, 'create_user_tag', tag(`tag ${n}`))
    const [newest] = (await w.answer(w.root, 'list_activities')).activities as readonly { readonly id: string }[]
    assert.is(newest?.id, id)
  }
  await w.close()
})

it.run()
