import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { memoryReadModels } from '../../../adapters/store-memory/read-models.ts'
import { failure, type Json } from '../../../core/failure.ts'
import { publicApi } from '../../../core/operations/public-api.ts'
import type { ReadModels, Row } from '../../../core/ports/read-models.ts'
import { E } from '../../../core/prelude.ts'
import { activities, EVERYWHERE, unfinished } from '../../../core/projection/activities.ts'
import { storedName } from '../../../core/projection/projection.ts'
import { replayProjection } from '../../../core/projection/replay.ts'
import { runner } from '../../../core/projection/runner.ts'
import { ActivityRow } from '../../../core/query/activity/list-activities.ts'
import { codeOf, right, world } from '../../world.ts'
import { faultyStore, inTime, until } from '../command/faulty-store.ts'
import { assertSound, eventsOf } from '../command/history.ts'
import { postNotice } from '../command/notice.ts'

const it = suite('activities')

const tag = (userTagName: string) => ({ userTagName, userIds: [] })

/** A world in which activities have come to every end there is, and some have not. */
const lively = async () => {
  const store = faultyStore()
  const run = (text: string) => async () =>
    text === 'down' ? E.left(failure('UNAVAILABLE', 'later')) : E.right({ receipt: text })
  const w = await world({ store, operations: [...publicApi, postNotice({ outside: true, run })] })
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
  const last = right(await w.engine.lastPosition()())
  for (const name of ['activities', 'unfinished-effects']) right(await w.engine.whenProcessed(last, name)())
  return { ...w, store, ada, last }
}

const everything = { limit: 1_000, ascending: true }
const rowsOf = async (readModels: ReadModels, organization: string): Promise<readonly (readonly Row[])[]> => [
  right(await readModels.rows(storedName(activities), organization, everything)()),
  right(await readModels.rows(storedName(unfinished), EVERYWHERE, everything)()),
]

it('has the rows that a rebuild has', async () => {
  const w = await lively()
  const rebuilt = memoryReadModels()
  for (const each of [activities, unfinished]) {
    const building = right(
      await runner({ storage: { store: w.storage.store, readModels: rebuilt }, clock: w.clock }, each),
    )
    right(await building.passed(w.last))
    await building.close()
  }
  const rows = await rowsOf(w.storage.readModels, w.organizationId)
  assert.equal(rows, await rowsOf(rebuilt, w.organizationId))
  assert.is(rows[0]?.length, assertSound(await eventsOf(w)).size)
  assert.is(rows[1]?.length, 1, 'the notice that waits for its next attempt')
  for (const { value } of rows[0] ?? []) assert.is(ActivityRow.is(value), true)
})

it('has for each activity the place and the type of its first event, and the status after its last', async () => {
  const w = await lively()
  const events = await eventsOf(w)
  const expected = [...assertSound(events).values()].map(({ activityId, type, status }) => {
    const { sequence } = events.find(({ activity }) => activity === activityId) ?? { sequence: 0n }
    return [activityId, { order: sequence, value: { id: activityId, sequence: String(sequence) }, type, status }]
  })
  const { state } = right(await replayProjection(w.storage.store, activities)())
  const replayed = [...(state.get(w.organizationId) ?? [])].map(([key, { order, value, first, second }]) => {
    return [key, { order, value, type: second, status: first }]
  })
  assert.equal(replayed, expected)
  const [stored = []] = await rowsOf(w.storage.readModels, w.organizationId)
  assert.equal(
    stored.map(({ key, order, value }) => [key, order, value]),
    [...(state.get(w.organizationId) ?? [])].map(([key, { order, value }]) => [key, order, value]),
  )
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

it('makes the engine unready while it is stuck, and lists no half of the truth', async () => {
  const store = faultyStore()
  const readModels: ReadModels = { ...store.readModels }
  const w = await world({ store: { ...store, readModels } })
  const { move } = store.readModels
  Object.assign(readModels, { move: () => async () => E.left(failure('UNAVAILABLE', 'the disk is full')) })
  await w.done(w.root, 'create_user_tag', tag('ops'))
  w.clock.pass(25) // nobody waits for the rows: they are gathered
  await until(async () => E.isLeft(await w.engine.isReady()()))
  assert.is(codeOf(await inTime(w.clock, w.ask(w.root, 'list_activities'))), 'UNAVAILABLE')
  Object.assign(readModels, { move })
  w.clock.pass(200)
  await until(async () => E.isRight(await w.engine.isReady()()))
  assert.is(((await w.answer(w.root, 'list_activities')).activities as readonly unknown[]).length, 2)
  await w.close()
})

it.run()
