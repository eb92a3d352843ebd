import * as t from '../../../core/codec/t.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { operation } from '../../../core/definition/operation.ts'
import { anyEvent, completed, projection, type Projection } from '../../../core/definition/projection.ts'
import { prometheus } from '../../../adapters/telemetry/index.ts'
import type { Notice } from '../../../core/engine.ts'
import { query } from '../../../core/definition/query.ts'
import { resource } from '../../../core/definition/resource.ts'
import { failure } from '../../../core/failure.ts'
import type { ReadModels } from '../../../core/ports/read-models.ts'
import { E } from '../../../core/prelude.ts'
import { InOrganization } from '../../../core/resources/in-organization.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import { activityRows } from '../world/activity-rows.ts'
import { withHost } from '../world/with-host.ts'
import { codeOf, right, world, begin } from '../world/world.ts'
import { faultyStore } from '../command/faulty-store.ts'
import { inTime, until } from '../world/under-way.ts'

const it = suite('projections of an engine')

const adding = <C>(change: t.Type<C, unknown, unknown>, made: C) =>
  operation({
    type: 'ACTIVITY_TYPE_ADD_THING',
    path: 'add_thing',
    summary: 'Adds a thing.',
    intent: t.fields({}),
    result: t.fields({}),
    change,
    execute: () => ({ result: {}, change: made }),
    evolve: () => undefined,
  })

/** What is told when a projection has come to the end of a log that holds one thing. */
const noticesOf = async (
  made: Projection,
): Promise<{ readonly notices: readonly Notice[]; readonly organizationId: string }> => {
  const notices: Notice[] = []
  const add = adding(t.fields({ name: t.unknown }), { name: 'secret' })
  const w = await world({ resources: withHost([add]), onNotice: (notice) => void notices.push(notice) })
  await w.done(w.root, 'add_thing', {})
  right(await w.engine.subscribe(made)())
  const last = right(await w.engine.lastPosition()())
  right(await inTime(w.clock, w.engine.whenProcessed(last, made.name)(), 20))
  await w.close()
  return { notices, organizationId: w.organizationId }
}

it('tell in which event a change is that its codec does not read, and what was expected', async () => {
  const other = adding(t.fields({ name: t.number }), { name: 1 })
  const { notices, organizationId } = await noticesOf(
    projection({ name: 'things', version: 1, on: [completed(other, () => [])] }),
  )
  const [notice, ...more] = notices
  assert.equal(more, [])
  assert.is(notice?.message, 'the projection things threw; the organization is parked')
  assert.is(
    notice?.context?.said,
    `invalid change of ACTIVITY_TYPE_ADD_THING at name: expected number, in the event 4 of ${organizationId}`,
  )
})

it('tell where a projection threw, and keep to themselves what it said', async () => {
  const throwing = anyEvent(({ type }) => {
    if (type === 'ActivityCompleted') throw new RangeError('secret')
    return []
  })
  const { notices } = await noticesOf(projection({ name: 'things', version: 1, on: [throwing] }))
  const [notice] = notices
  assert.is(notice?.context?.thrown, 'RangeError')
  assert.match(JSON.stringify(notice), 'runners.test.ts')
  assert.not.match(JSON.stringify(notice), 'secret')
})

it('tell a bug that parks many organizations once, and show how many are parked', async () => {
  const notices: Notice[] = []
  const numbers = prometheus()
  const throwing = anyEvent(() => {
    throw new RangeError('secret')
  })
  const w = await world({ telemetry: numbers.telemetry, onNotice: (notice) => void notices.push(notice) })
  for (let n = 0; n < 20; n += 1) await begin(w)
  const made = projection({ name: 'things', version: 1, on: [throwing] })
  right(await w.engine.subscribe(made)())
  const last = right(await w.engine.lastPosition()())
  right(await inTime(w.clock, w.engine.whenProcessed(last, made.name)(), 200))
  assert.is(right(await w.engine.parked('things')()).length, 21)
  assert.match(numbers.text(), 'countersign_projection_parked{projection="things"} 21')
  assert.is(notices.filter(({ message }) => message.startsWith('the projection things threw')).length, 1)
  w.clock.pass(60_000)
  assert.is(notices.at(-1)?.message, 'still: the projection things threw; the organization is parked')
  await w.close()
})

it('makes the engine unready while one is stuck, and lists no half of the truth', async () => {
  const store = faultyStore()
  const readModels: ReadModels = { ...store.readModels }
  const rows = query({
    path: 'list_rows',
    summary: 'Lists the rows.',
    request: InOrganization,
    answer: t.fields({ keys: t.readonlyArray(t.string) }),
    run: async (_, context) => ({ keys: (await context.rows(activityRows, { limit: 10 })).map(({ id }) => id) }),
  })
  const listing = resource({ name: 'rows', projections: [activityRows], queries: [rows] })
  const w = await world({ store: { ...store, readModels }, resources: [...publicApi, listing] })
  const { move } = store.readModels
  Object.assign(readModels, { move: () => async () => E.left(failure('UNAVAILABLE', 'the disk is full')) })
  await w.done(w.root, 'create_user_tag', { userTagName: 'ops', userIds: [] })
  w.clock.pass(25) // nobody waits for the rows: they are gathered
  await until(async () => E.isLeft(await w.engine.isReady()()))
  assert.is(codeOf(await inTime(w.clock, w.ask(w.root, 'list_rows'))), 'UNAVAILABLE')
  assert.is(((await w.answer(w.root, 'list_activities')).activities as readonly unknown[]).length, 2)
  Object.assign(readModels, { move })
  w.clock.pass(200)
  await until(async () => E.isRight(await w.engine.isReady()()))
  assert.is(((await w.answer(w.root, 'list_rows')).keys as readonly unknown[]).length, 2)
  await w.close()
})

it.run()
