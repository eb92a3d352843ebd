import * as t from '../../../core/codec/t.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { operation, type Operation } from '../../../core/definition/operation.ts'
import { refuse } from '../../../core/definition/refuse.ts'
import type { Failure, Json } from '../../../core/failure.ts'
import { E } from '../../../core/prelude.ts'
import { userTags } from '../../../core/resources/user-tag/user-tags.ts'
import type { Notice } from '../../../core/ports/notice.ts'
import type { Telemetry } from '../../../core/ports/telemetry.ts'
import { hostState, withHost } from '../world/with-host.ts'
import { right, testClock, world, type World } from '../world/world.ts'
import { audited, codesIn, exported } from '../audit/logs.ts'
import { inTime, until } from '../world/under-way.ts'
import { eventsOf } from '../command/history.ts'

const it = suite('trying an operation')

const codeOf = (outcome: E.Either<Failure, unknown>): string => (E.isLeft(outcome) ? outcome.left.code : 'ok')

type Seen = { readonly tags: ReadonlyMap<string, unknown>; readonly names: readonly string[] }

/** Works on the names of the tags. */
const listTags = (
  run: (seen: Seen, attempt: number) => Promise<{ readonly count: number }>,
  { outside = false, tagsMax = 10, attemptsMax = 3 } = {},
): Operation =>
  operation({
    type: 'ACTIVITY_TYPE_LIST_TAGS',
    path: 'list_tags',
    summary: 'Works on the names of the tags.',
    intent: t.fields({}),
    result: t.fields({ count: t.number }),
    change: t.fields({ count: t.number }),
    check: (_, { organization }): Seen => {
      const tags = userTags.of(organization)
      if (tags.size > tagsMax) throw refuse('CONFLICT', 'too many tags')
      return { tags, names: [...tags.values()].map(({ tagName }) => tagName) }
    },
    perform: {
      outside,
      resumeAfterMs: (attempt) => attempt * 1_000,
      attemptsMax,
      whenInterrupted: 'retry',
      performed: t.fields({ count: t.number }),
      run: (seen, { attempt }) => run(seen, attempt),
    },
    execute: (_, { performed: { count } }) => ({ result: { count }, change: { count } }),
    evolve: (draft, { count }) => void hostState.in(draft).set('count', count),
  })
const tag = (w: World, userTagName: string) => w.submit(w.root, 'create_user_tag', { userTagName, userIds: [] })
const list = (w: World) => w.submit(w.root, 'list_tags', {})

it('gives work what check gave, frozen: a copy that does not move with the state', async () => {
  const seen: Seen[] = []
  let letGo: () => void = () => undefined
  const gone = new Promise<void>((resolve) => (letGo = resolve))
  const w = await world({
    resources: withHost([
      listTags(
        async (given) => {
          seen.push(given)
          await gone
          return { count: given.names.length }
        },
        { outside: true },
      ),
    ]),
  })
  right(await tag(w, 'one'))
  const listed = list(w)
  await until(() => seen.length === 1)
  right(await tag(w, 'two'))
  const [given] = seen
  assert.equal([given?.names, given?.tags.size], [['one'], 1])
  assert.throws(() => Object.assign(given?.names ?? [], ['three']), TypeError)
  letGo()
  assert.equal(right(await listed).result, { listTagsResult: { count: 1 } })
  await w.close()
})

it('does work inside again where the state has changed so that it would be given something else', async () => {
  const counts: number[] = []
  const w: World = await world({
    resources: withHost([
      listTags(async ({ names }) => {
        counts.push(names.length)
        if (counts.length === 1) right(await tag(w, 'meanwhile'))
        return { count: names.length }
      }),
    ]),
  })
  assert.equal(right(await list(w)).result, { listTagsResult: { count: 1 } })
  assert.equal(counts, [0, 1])
  assert.equal(
    (await audited(await exported(w.storage.store), {}, [listTags(async () => ({ count: 0 }))])).findings,
    [],
  )
  await w.close()
})

it('gives up on work inside that is overtaken again and again', async () => {
  let works = 0
  const w: World = await world({
    resources: withHost([
      listTags(async ({ names }) => {
        works += 1
        right(await tag(w, `tag ${works}`))
        return { count: names.length }
      }),
    ]),
  })
  assert.is(codeOf(await list(w)), 'CONFLICT')
  assert.is(works, 4)
  await w.close()
})

it('checks each attempt at effects outside in the turn that begins it, and fails where the operation refuses by now', async () => {
  const counts: (readonly [attempt: number, count: number])[] = []
  const clock = testClock()
  const operations = [
    listTags(
      async ({ names }, attempt) => {
        counts.push([attempt, names.length])
        if (attempt === 1) right(await tag(w, 'one'))
        if (attempt === 2) for (const name of ['two', 'three']) right(await tag(w, name))
        throw refuse('UNAVAILABLE', 'not now')
      },
      { outside: true, tagsMax: 2, attemptsMax: 5 },
    ),
  ]
  const w: World = await world({ resources: withHost(operations), testClock: clock, waitForEffectsMs: 100 })
  const { id } = right(await inTime(clock, list(w)))
  const statusOf = async () =>
    (await w.answer(w.root, 'get_activity', { activityId: id })).activity as { status: string; failure?: Json }
  await until(async () => {
    clock.pass(1_000)
    return (await statusOf()).status === 'ACTIVITY_STATUS_FAILED'
  })
  assert.equal(counts, [
    [1, 0],
    [2, 1],
  ])
  const events = (await eventsOf(w)).filter(({ activity }) => activity === id)
  assert.equal(
    events.map(({ type }) => type),
    ['ActivityCreated', 'ActivityStarted', 'ActivityStarted', 'ActivityFailed'],
  )
  const failed = events.at(-1)?.data
  assert.is(failed !== undefined && 'failure' in failed ? failed.failure.code : '', 'CONFLICT')
  // How long another attempt waits, each attempt says.
  const waits = events.flatMap(({ at, data }) =>
    'resumeAt' in data ? [Date.parse(data.resumeAt) - Date.parse(at)] : [],
  )
  assert.equal(waits, [1_000, 2_000])
  assert.equal(codesIn(await audited(await exported(w.storage.store), {}, operations)), [])
  await w.close()
})

it('tells and counts attempts that fail or throw: which operation, activity and attempt, and no words of a host', async () => {
  const notices: Notice[] = []
  const counts: (readonly [name: string, attributes: object])[] = []
  const telemetry: Telemetry = {
    span: (_name, _attributes, work) => work(),
    spanSync: (_name, _attributes, work) => work(),
    count: (name, _by, attributes) => void counts.push([name, attributes]),
    record: () => undefined,
    observe: () => () => undefined,
  }
  const secret = 'a secret'
  for (const [run, code] of [
    [async () => Promise.reject(refuse('RESOURCE_NOT_FOUND', secret)), 'RESOURCE_NOT_FOUND'],
    [async () => Promise.reject(new RangeError(secret)), 'UNAVAILABLE'],
  ] as const) {
    const w = await world({ resources: withHost([listTags(run)]), telemetry, onNotice: (one) => notices.push(one) })
    assert.is(codeOf(await list(w)), code)
    await w.close()
  }
  const [failed, thrown] = notices
  const { activity, ...context } = failed?.context ?? {}
  assert.equal(failed, { ...failed, level: 'warn', message: 'the work of an operation failed' })
  assert.equal(context, { operation: 'ACTIVITY_TYPE_LIST_TAGS', attempt: 1, code: 'RESOURCE_NOT_FOUND' })
  assert.type(activity, 'string')
  assert.equal([thrown?.level, thrown?.message], ['error', 'the work of ACTIVITY_TYPE_LIST_TAGS threw'])
  assert.equal(
    [thrown?.context?.operation, thrown?.context?.attempt, thrown?.context?.thrown],
    [context.operation, 1, 'RangeError'],
  )
  assert.not.match(JSON.stringify(notices), secret)
  const type = 'ACTIVITY_TYPE_LIST_TAGS'
  assert.equal(
    counts.filter(([name]) => name.startsWith('countersign.attempt')),
    [
      ['countersign.attempts', { type }],
      ['countersign.attempt_failures', { type, code: 'RESOURCE_NOT_FOUND' }],
      ['countersign.attempts', { type }],
      ['countersign.attempt_failures', { type, code: 'THROWN' }],
    ],
  )
})

it('answers INTERNAL where execute gives something else the second time, and tells of it', async () => {
  const notices: Notice[] = []
  let count = 0
  const impure = operation({
    type: 'ACTIVITY_TYPE_COUNT',
    path: 'count',
    summary: 'Counts.',
    intent: t.fields({}),
    result: t.fields({ count: t.number }),
    change: t.fields({}),
    execute: () => ({ result: { count: (count += 1) }, change: {} }),
    evolve: () => undefined,
  })
  for (const [executeTwice, code] of [
    [true, 'INTERNAL'],
    [false, 'ok'],
  ] as const) {
    const w = await world({ resources: withHost([impure]), executeTwice, onNotice: (one) => notices.push(one) })
    assert.is(codeOf(await w.submit(w.root, 'count', {})), code)
    await w.close()
  }
  assert.is(notices.length, 1)
  assert.match(JSON.stringify(notices[0]), 'execute of ACTIVITY_TYPE_COUNT gave something else the second time')
})

it.run()
