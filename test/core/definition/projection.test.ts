import * as t from '../../../core/codec/t.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { timestamp } from '../../../core/codec/timestamp.ts'
import { decodes, operation } from '../../../core/definition/operation.ts'
import {
  anyEvent,
  completed,
  events,
  projection,
  type Projection,
  type Source,
} from '../../../core/definition/projection.ts'
import type { Json } from '../../../core/failure.ts'
import { instant, type Event } from '../../../core/log/event.ts'
import { noParts, type Parts } from '../../../core/log/parts.ts'
import type { RowChange } from '../../../core/ports/read-models.ts'

const it = suite('a projection')

const atMs = 1_234_567

const eventOf = (said: Pick<Event, 'type' | 'data'>, sequence = 7n): Event =>
  ({
    organization: 'organization',
    sequence,
    activity: 'activity',
    revision: 2n,
    version: 1,
    id: 'event',
    at: instant(atMs),
    previous: '',
    parts: {},
    ...said,
  }) as Event // type and data belong together

const started = eventOf({ type: 'ActivityStarted', data: { attempt: 1, resumeAt: instant(0), revision: 1 } })
const failed = eventOf({ type: 'ActivityFailed', data: { failure: { code: 'INTERNAL', message: 'any' }, revision: 1 } })
const completion = (type: string, change: Json, revision = 1): Event =>
  eventOf({ type: 'ActivityCompleted', data: { type, result: { count: 1 }, change, revision } })

const Intent = t.fields({ name: t.string })

/** An operation that was called otherwise once, and whose change has a member more today. */
const addThing = operation({
  type: 'ACTIVITY_TYPE_ADD_THING_V2',
  path: 'add_thing',
  summary: 'Adds a thing.',
  intent: Intent,
  versions: [{ type: 'ACTIVITY_TYPE_ADD_ITEM', ...decodes(Intent, (intent) => intent) }],
  result: t.fields({ count: t.number }),
  change: t.fields({ name: t.string }, { colour: t.string }),
  revision: 3,
  earlier: { 1: {} },
  execute: ({ name }) => ({ result: { count: 1 }, change: { name } }),
  evolve: () => undefined,
})

const row = (key: string): readonly RowChange[] => [{ _tag: 'delete', organization: 'organization', key }]
const rowsOf = (source: Source, event: Event, parts: Parts = noParts): readonly string[] =>
  projection({ name: 'p', version: 1, on: [source] })
    .project(event, 9n, parts)
    .map(({ key }) => key)

const names = completed(addThing, ({ name }) => row(name))

/** Whether two types are the same. */
type Same<A, B> = [A, B] extends [B, A] ? true : false

it('gets the change of an operation with its type, and what a row needs besides', () => {
  const parts: Parts = new Map([['bundle', 'erased']])
  const source = completed(addThing, (change, at) => {
    // What the compiler holds: a wrong name or type would not compile.
    const isChange: Same<typeof change, { readonly name: string; readonly colour?: string | undefined }> = true
    const hasSize: 'size' extends keyof typeof change ? true : false = false
    const isResult: Same<typeof at.result, { readonly count: number }> = true
    assert.equal([isChange, hasSize, isResult], [true, false, true])
    assert.equal([change, at.result], [{ name: 'lamp', colour: 'red' }, { count: 1 }])
    assert.equal([at.organization, at.activityId, at.sequence, at.position], ['organization', 'activity', 7n, 9n])
    assert.equal([at.atMs, at.timestamp, at.revision, at.parts], [atMs, timestamp(atMs), 3, parts])
    return row(change.name)
  })
  const change = { name: 'lamp', colour: 'red', size: 'what the codec does not know' }
  assert.equal(rowsOf(source, completion('ACTIVITY_TYPE_ADD_THING_V2', change, 3), parts), ['lamp'])
})

it('has one row for each completed activity, in the order of the log, as its codec writes it', () => {
  const Thing = t.fields({ called: t.string, count: t.number }, { colour: t.string })
  const things = projection({
    name: 'things',
    version: 2,
    of: addThing,
    row: Thing,
    from: (change, at) => {
      const isChange: Same<typeof change, { readonly name: string; readonly colour?: string | undefined }> = true
      assert.ok(isChange)
      return { called: change.name, count: at.result.count, colour: change.colour, more: at.activityId }
    },
  })
  assert.equal([things.name, things.version, things.types], ['things', 2, ['ActivityCompleted']])
  const rowOf = (event: Event): readonly RowChange[] => things.project(event, 9n, noParts)
  const put = { _tag: 'put', organization: 'organization', key: 'activity', order: 7n, facets: {} }
  assert.equal(rowOf(completion('ACTIVITY_TYPE_ADD_ITEM', { name: 'lamp' })), [
    { ...put, value: { called: 'lamp', count: 1 } },
  ])
  assert.equal(rowOf(completion('ACTIVITY_TYPE_ADD_THING_V2', { name: 'lamp', colour: 'red' }, 3)), [
    { ...put, value: { called: 'lamp', count: 1, colour: 'red' } },
  ])
  for (const other of [started, failed, completion('ACTIVITY_TYPE_ADD_OTHER', { name: 'lamp' })])
    assert.equal(rowOf(other), [])
  assert.throws(
    () => rowOf(completion('ACTIVITY_TYPE_ADD_ITEM', { name: 5 })),
    /invalid change of ACTIVITY_TYPE_ADD_THING_V2 at name/,
  )
  const row: Same<typeof things, Projection<t.TypeOf<typeof Thing>>> = true
  assert.ok(row)
  assert.equal(things.row.decode({ called: 'lamp', count: 1 })._tag, 'Right')
  assert.equal(things.row.decode({ called: 'lamp' })._tag, 'Left')
  const any = projection({ name: 'any', version: 1, on: [names] })
  assert.equal(
    [[1, 'a', null], 7].map((json) => any.row.decode(json)._tag),
    ['Right', 'Right'],
  )
})

it('takes completed activities of its operation alone', () => {
  for (const other of [started, failed, completion('ACTIVITY_TYPE_ADD_OTHER', { name: 'lamp' })])
    assert.equal(rowsOf(names, other), [])
})

it('takes what was stored under an older type on the wire, and at an earlier revision', () => {
  assert.equal(rowsOf(names, completion('ACTIVITY_TYPE_ADD_ITEM', { name: 'lamp' })), ['lamp'])
  for (const revision of [1, 2, 3])
    assert.equal(rowsOf(names, completion('ACTIVITY_TYPE_ADD_THING_V2', { name: 'lamp' }, revision)), ['lamp'])
})

it('throws on a change that the codec does not read, and tells the place, but not the value', () => {
  assert.throws(
    () => rowsOf(names, completion('ACTIVITY_TYPE_ADD_ITEM', { name: 5 })),
    (thrown: Error) =>
      thrown.message ===
      'invalid change of ACTIVITY_TYPE_ADD_THING_V2 at name: expected string, in the event 7 of organization',
  )
})

it('throws on a revision that is newer than the code', () =>
  assert.throws(
    () => rowsOf(names, completion('ACTIVITY_TYPE_ADD_ITEM', { name: 'lamp' }, 4)),
    /does not know revision 4 of ACTIVITY_TYPE_ADD_THING_V2, in the event 7 of organization/,
  ))

it('reads a result only where somebody looks at it', () => {
  const said = { type: 'ACTIVITY_TYPE_ADD_ITEM', result: { count: 'many' }, change: { name: 'lamp' }, revision: 1 }
  const odd = eventOf({ type: 'ActivityCompleted', data: said })
  assert.equal(rowsOf(names, odd), ['lamp'])
  const counts = completed(addThing, (_, { result }) => row(String(result.count)))
  assert.throws(() => rowsOf(counts, odd), /invalid result of ACTIVITY_TYPE_ADD_THING_V2 at count/)
})

it('gets events of a type with that type', () => {
  const attempts = events(['ActivityStarted', 'ActivityFailed'], (event) => {
    const isTyped: Same<typeof event.type, 'ActivityStarted' | 'ActivityFailed'> = true
    assert.ok(isTyped)
    return row(event.type === 'ActivityStarted' ? String(event.data.attempt) : event.data.failure.code)
  })
  assert.equal(
    [started, failed, completion('ACTIVITY_TYPE_ADD_ITEM', {})].map((event) => rowsOf(attempts, event)),
    [['1'], ['INTERNAL'], []],
  )
  assert.equal(
    rowsOf(
      anyEvent(({ id }) => row(id)),
      started,
    ),
    ['event'],
  )
})

it('names the types of events that it takes, and makes the rows of all its sources in their order', () => {
  const both = projection({
    name: 'both',
    version: 1,
    on: [events(['ActivityFailed'], () => row('failed')), names, events(['ActivityCompleted'], () => row('any'))],
  })
  assert.equal(both.types, ['ActivityFailed', 'ActivityCompleted'])
  assert.equal(
    both.project(completion('ACTIVITY_TYPE_ADD_ITEM', { name: 'lamp' }), 1n, noParts).map(({ key }) => key),
    ['lamp', 'any'],
  )
})

it.run()
