import * as t from '../../../core/codec/t.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { CountersignError } from '../../../core/countersign-error.ts'
import { outcomeLater, outcomeOf } from '../../../core/definition/host-outcome.ts'
import { operation } from '../../../core/definition/operation.ts'
import { query } from '../../../core/definition/query.ts'
import { refuse } from '../../../core/definition/refuse.ts'
import { failure, type Failure } from '../../../core/failure.ts'
import type { Notice } from '../../../core/ports/notice.ts'
import { E } from '../../../core/prelude.ts'
import { describeThrown } from '../../../core/telemetry/tell-thrown.ts'
import { eventsOf } from '../command/history.ts'
import { withHost } from '../world/with-host.ts'
import { codeOf, right, world } from '../world/world.ts'

const it = suite('what functions of a host give')

const rejections: unknown[] = []
const note = (reason: unknown): void => void rejections.push(reason)
it.before(() => void process.on('unhandledRejection', note))
it.after(() => void process.off('unhandledRejection', note))
/** After the process has noticed what nobody awaited. */
const noticed = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** The ways in which the engine calls a function, for one that throws or gives something at once. */
const ways: readonly ((call: () => unknown) => Promise<E.Either<Failure, unknown>>)[] = [
  async (call) => outcomeOf('execute', call),
  (call) => outcomeLater('execute', call),
  (call) => outcomeLater('execute', async () => call()),
]
const throwing = (thrown: unknown) => (): never => {
  throw thrown
}
/** What the operator is told of a bug. */
const toldOf = async (outcome: Promise<unknown>): Promise<unknown> =>
  outcome.then(
    () => 'no bug',
    (thrown: unknown) => describeThrown(thrown).said,
  )

it('are plain values, of whatever form', async () => {
  const failed = failure('CONFLICT', 'no')
  for (const outcome of ways)
    for (const value of [undefined, null, 0, '', { _tag: 'Left', left: failed }, failed, () => 1])
      assert.equal(await outcome(() => value), E.right(value))
  assert.equal(await outcomeLater('run', async () => 7), E.right(7))
})

it('are failures where they throw a refusal, with its own members alone, and with copies of its details', async () => {
  const detail = { most: 10 }
  const refused = Object.assign(refuse.as('TOO_HEAVY', 'RESOURCE_EXHAUSTED', 'ten at most', [detail]), { more: 'x' })
  for (const outcome of ways) {
    const given = await outcome(throwing(refused))
    const is = { code: 'TOO_HEAVY', message: 'ten at most', details: [{ most: 10 }], like: 'RESOURCE_EXHAUSTED' }
    assert.equal(given, E.left(is))
    const [copied] = E.isLeft(given) ? (given.left.details ?? []) : []
    assert.is.not(copied, detail)
    assert.equal(await outcome(throwing(refuse('CONFLICT', 'no'))), E.left({ code: 'CONFLICT', message: 'no' }))
    assert.equal(await outcome(throwing(refuse('CONFLICT', 'no', []))), E.left({ code: 'CONFLICT', message: 'no' }))
  }
})

it('have details as the log has them: what JSON does not write is left out', async () => {
  const details = [{ kept: 1, dropped: undefined }] as never
  for (const outcome of ways)
    assert.equal(
      await outcome(throwing(refuse('CONFLICT', 'no', details))),
      E.left(failure('CONFLICT', 'no', [{ kept: 1 }])),
    )
})

it('are bugs where they throw anything else: it goes on as it is', async () => {
  const bugs = [
    new Error('a bug'),
    new CountersignError(failure('CONFLICT', 'of a client')),
    failure('CONFLICT', 'no'),
    'a text',
    undefined,
    Object.assign(refuse('CONFLICT', 'no'), { code: 'NO_SUCH_CODE' }), // nobody could read it in the log
    Object.assign(refuse('CONFLICT', 'no'), { details: 'none' }),
    Object.assign(refuse('CONFLICT', 'no'), { message: 7 }),
  ]
  for (const outcome of ways)
    for (const bug of bugs) {
      const caught: { readonly thrown?: unknown } = await outcome(throwing(bug)).then(
        () => ({}),
        (thrown: unknown) => ({ thrown }),
      )
      assert.ok('thrown' in caught && caught.thrown === bug)
    }
})

it('are bugs where the details hold themselves', async () => {
  const cyclic: { self?: unknown } = {}
  cyclic.self = cyclic
  const refused = refuse('CONFLICT', 'no', [cyclic] as never)
  for (const outcome of ways) {
    const thrown: unknown = await outcome(throwing(refused)).catch((error: unknown) => error)
    assert.instance(thrown, TypeError)
  }
})

it('are bugs where they return a refusal in place of throwing it', async () => {
  for (const outcome of ways)
    assert.is(await toldOf(outcome(() => refuse('CONFLICT', 'no'))), 'execute returned a refusal: it must throw it')
})

it('are bugs where they give a promise and must not be asynchronous, and nobody awaits it', async () => {
  for (const promise of [
    async () => 7,
    async () => Promise.reject(new Error('a bug')),
    async () => throwing(refuse('CONFLICT', 'no'))(),
  ]) {
    const told = await toldOf((async () => outcomeOf('execute', promise))())
    assert.is(told, 'execute gave a promise: it must not be asynchronous')
  }
  await noticed()
  assert.equal(rejections.splice(0), [])
})

type Place = 'admit' | 'check' | 'execute' | 'inspect' | 'query' | 'run' | 'decode'

/** What a host adds: all of it behaves, but for one function. */
const host = (place: Place, deed: () => unknown) => {
  // A host without our compiler can give anything.
  const at = <A>(here: Place, well: A): A => (here === place ? (deed() as A) : well)
  const Text = t.fields({ text: t.string })
  const doing = operation({
    type: 'ACTIVITY_TYPE_DO_IT_V2',
    path: 'do_it',
    summary: 'Does it.',
    intent: Text,
    versions: [
      {
        type: 'ACTIVITY_TYPE_DO_IT',
        codec: Text,
        decodeIntent: () => at('decode', { echo: { text: '' }, intent: { text: '' } }),
      },
    ],
    result: Text,
    change: Text,
    inspect: () => at('inspect', 'inspected'),
    admit: () => at('admit', undefined),
    check: () => at('check', 'checked'),
    perform: {
      outside: false,
      resumeAfterMs: 0,
      attemptsMax: 1,
      whenInterrupted: 'fail',
      performed: Text,
      run: () => at('run', { text: 'done' }),
    },
    execute: ({ text }) => at('execute', { result: { text }, change: { text } }),
    evolve: () => undefined,
  })
  const asking = query({
    path: 'ask_it',
    summary: 'Asks it.',
    request: t.fields({ organizationId: t.string }),
    answer: Text,
    run: () => at('query', { text: 'answer' }),
  })
  return withHost([doing], [asking])
}

/** What the caller gets, what the operator is told, and how many events there are of it. */
const lived = async (place: Place, deed: () => unknown) => {
  const notices: Notice[] = []
  const w = await world({ resources: host(place, deed), onNotice: (notice) => void notices.push(notice) })
  const before = (await eventsOf(w)).length
  const type = place === 'decode' ? 'ACTIVITY_TYPE_DO_IT' : 'ACTIVITY_TYPE_DO_IT_V2'
  const asked = place === 'query' ? w.ask(w.root, 'ask_it') : w.submit(w.root, 'do_it', { text: 'x' }, { type })
  const answer: E.Either<Failure, unknown> = await asked
  const stored = (await eventsOf(w)).length - before
  right(await w.submit(w.root, 'create_user_tag', { userTagName: 'goes on', userIds: [] }))
  await w.close()
  assert.not.match(JSON.stringify([notices, E.isLeft(answer) ? answer.left : '']), 'secret')
  const errors = notices.filter(({ level }) => level === 'error')
  return { code: codeOf(answer), stored, told: errors.map(({ message, context }) => [message, context?.['said']]) }
}

const PLACES = {
  decode: ['do_it', 'the codec of ACTIVITY_TYPE_DO_IT'],
  inspect: ['do_it', 'inspect of ACTIVITY_TYPE_DO_IT_V2'],
  admit: ['do_it', 'admit of ACTIVITY_TYPE_DO_IT_V2'],
  check: ['do_it', 'check of ACTIVITY_TYPE_DO_IT_V2'],
  run: ['the work of ACTIVITY_TYPE_DO_IT_V2', 'the work of ACTIVITY_TYPE_DO_IT_V2'],
  execute: ['do_it', 'execute of ACTIVITY_TYPE_DO_IT_V2'],
  query: ['ask_it', 'ask_it'],
} as const satisfies Record<Place, unknown>
const MAY_WAIT: readonly string[] = ['inspect', 'run', 'query']
const MAY_BE_NOTHING: readonly string[] = ['inspect', 'admit', 'check']

for (const [place, [task, name]] of Object.entries(PLACES) as [Place, (typeof PLACES)[Place]][]) {
  const bug = place === 'run' ? 'UNAVAILABLE' : 'INTERNAL'

  it(`refuse by throwing a refusal, which is no bug: ${place}`, async () => {
    const { code, stored, told } = await lived(place, throwing(refuse.as('NOT_NOW', 'CONFLICT', 'not now')))
    assert.equal([code, told, stored], ['NOT_NOW', [], 0])
  })

  const deeds: readonly (readonly [what: string, deed: () => unknown, said: string | undefined])[] = [
    [
      'a refusal in place of throwing it',
      () => refuse('CONFLICT', 'secret'),
      `${name} returned a refusal: it must throw it`,
    ],
    MAY_WAIT.includes(place)
      ? [
          'a promise of a refusal',
          async () => refuse('CONFLICT', 'secret'),
          `${name} returned a refusal: it must throw it`,
        ]
      : [
          'a promise',
          async () => ({ result: { text: '' }, change: { text: '' } }),
          `${name} gave a promise: it must not be asynchronous`,
        ],
    ['a plain error, thrown', throwing(new Error('secret')), undefined],
    ['a failure of a client, thrown', throwing(new CountersignError(failure('CONFLICT', 'secret'))), undefined],
  ]
  for (const [what, deed, said] of deeds) {
    it(`are told to the operator as a bug, and stored nowhere, where it is ${what}: ${place}`, async () => {
      const { code, stored, told } = await lived(place, deed)
      assert.equal([code, told, stored], [bug, [[`${task} threw`, said]], 0])
    })
  }

  if (MAY_BE_NOTHING.includes(place))
    it(`may be nothing: ${place}`, async () => {
      assert.equal(await lived(place, () => undefined), { code: 'no failure', stored: 2, told: [] })
    })
  else
    it(`are told to the operator as a bug where it is nothing: ${place}`, async () => {
      const { code, stored, told } = await lived(place, () => undefined)
      assert.equal([code, told.map(([message]) => message), stored], [bug, [`${task} threw`], 0])
    })
}

it.run()
