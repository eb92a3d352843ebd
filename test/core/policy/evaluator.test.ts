import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  allowanceOf,
  compileCondition,
  compileConsensus,
  compileTime,
  evaluate,
  holds,
  type Expression,
  type Facts,
} from '../../../core/policy/expression.ts'
import { STEPS_MAX } from '../../../core/policy/evaluator.ts'
import { Instant } from '../../../core/policy/instant.ts'
import { currentRules } from '../../../core/policy/rules.ts'
import { anyFacts, anyUserFact, compiled } from './any.ts'
import { anyCondition, anyConsensus, userIds } from './arbitrary.ts'
import { naiveEvaluate } from './naive.ts'

const it = suite('policy evaluator')

const answer = (expression: Expression, facts: Facts): boolean | 'error' => {
  const evaluated = evaluate(expression, facts)
  return evaluated._tag === 'value' ? evaluated.value : 'error'
}
const condition = (text: string, facts: Facts) => answer(compiled(compileCondition(text)), facts)
const consensus = (text: string, facts: Facts) => answer(compiled(compileConsensus(text)), facts)

const withParams = (params: Facts['activity']['params']): Facts => anyFacts({ activity: { params } })

it('agrees with a naive evaluator about consensus', () => {
  const user = fc.record({
    id: fc.constantFrom(...userIds),
    tags: fc.subarray(['red', 'blue']),
    email: fc.constant(''),
    alias: fc.constantFrom('ada', 'joan'),
  })
  const credential = fc.record({
    id: fc.constantFrom('ada-key-1', 'mary-key-2'),
    user_id: fc.constantFrom(...userIds),
    type: fc.constantFrom('CREDENTIAL_TYPE_API_KEY_P256', 'CREDENTIAL_TYPE_API_KEY_ED25519'),
    credential_id: fc.constant(''),
    public_key: fc.constant(''),
  })
  fc.assert(
    fc.property(
      anyConsensus,
      fc.array(user, { maxLength: 4 }),
      fc.array(credential, { maxLength: 3 }),
      (text, approvers, credentials) => {
        const facts = anyFacts({ approvers, credentials })
        assert.is(consensus(text, facts), naiveEvaluate(text, facts), text)
      },
    ),
    { numRuns: 1000 },
  )
})

it('agrees with a naive evaluator about conditions', () => {
  const params = fc.record(
    {
      amount: fc.oneof(fc.integer({ min: -1, max: 4 }), fc.constantFrom('2', 'two', 0.5, null, true)),
      ids: fc.oneof(fc.array(fc.constantFrom(...userIds, 7), { maxLength: 3 }), fc.constant('ada')),
      address: fc.constantFrom('0xabcdef', '0xABCDEF', '0xabcdeg', 11259375),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(anyCondition, params, (text, given) => {
      const facts = withParams(given)
      assert.is(condition(text, facts), naiveEvaluate(text, facts), text)
    }),
    { numRuns: 1000 },
  )
})

it('answers for any parameters', () => {
  fc.assert(
    fc.property(anyCondition, fc.jsonValue(), fc.jsonValue(), (text, amount, ids) => {
      const facts = anyFacts({
        activity: { params: JSON.parse(JSON.stringify({ amount, ids })) as Facts['activity']['params'] },
      })
      condition(text, facts)
    }),
    { numRuns: 500 },
  )
})

/** An expression that takes so many steps: by a list of so many entries, and clauses behind it. */
const ofSteps = (wanted: number) => {
  const made = (entries: number, clauses: string) => {
    const facts = withParams({ ids: Array.from({ length: entries }, () => 'a') })
    const expression = compiled(compileCondition(`activity.params.ids.all(a, a != '')${clauses}`))
    const allowance = allowanceOf(1_000_000)
    evaluate(expression, facts, currentRules, allowance)
    return { expression, facts, steps: 1_000_000 - allowance.steps }
  }
  const perEntry = made(2, '').steps - made(1, '').steps
  for (const clause of [' && true', ' && !false'])
    for (let count = 0; count < 50; count += 1) {
      const clauses = clause.repeat(count)
      const entries = 1 + (wanted - made(1, clauses).steps) / perEntry
      if (Number.isInteger(entries)) return made(entries, clauses)
    }
  throw new Error('no expression takes so many steps')
}

it('takes 100,000 steps, and not one more', () => {
  const most = ofSteps(STEPS_MAX)
  assert.is(evaluate(most.expression, most.facts)._tag, 'value')
  const { expression, facts } = ofSteps(STEPS_MAX + 1)
  const more = evaluate(expression, facts)
  assert.ok(more._tag === 'error' && more.isExhausted)
})

const charges: readonly (readonly [text: string, steps: number])[] = [
  ["activity.type == ''", 3],
  ['params.n == 7', 4],
  ["params.n == '7'", 4],
  ['params.n < 8', 4],
  ['!true', 1],
  ['!(1 == 2)', 2],
  ['1 == 1 && 1 == 2 && true', 5],
  ['1 == 2 || 1 == 1', 4],
  ["'a' in params.ids", 7],
  ["'a' in ['x', 'y', 'z']", 7],
  ["params.ids.contains('c')", 7],
  ['params.ids.count() == 3', 5],
  ["params.ids[0] == 'a'", 5],
  ['params.ids[0..2].count() == 2', 8],
  ["params.long[0..2] == 'xx'", 5],
  ['params.ids.all(a, true)', 7],
  ["params.ids.any(a, a == 'b')", 10],
  ["params.ids.filter(a, a != 'b').count() == 2", 12],
  ['params.long == params.same', 17],
  ["params.long == 'x'", 4],
  ['params.ids.count == 3', 5],
  ["params.map['a'] == 1", 5],
  ['{ a: 1 } == { a: 1 }', 14],
  ['{ a: 1, b: 2 }.b == 2', 6],
  ['params.map == { a: 1, b: 2 }', 26],
  ['{ a: params.ids } == { a: params.ids }', 26],
]

for (const [text, steps] of charges)
  it(`takes ${steps} of its steps for ${text}, for what is decided at the bound must not change`, () => {
    const long = 'x'.repeat(160)
    const facts = withParams({ ids: ['a', 'b', 'c'], n: 7, long, same: long, map: { a: 1, b: 2 } })
    const expression = compiled(compileCondition(text.replaceAll('params', 'activity.params')))
    const allowance = allowanceOf(1000)
    assert.is(evaluate(expression, facts, currentRules, allowance)._tag, 'value')
    assert.is(1000 - allowance.steps, steps)
    assert.is(evaluate(expression, facts, currentRules, allowanceOf(steps))._tag, 'value')
    const less = evaluate(expression, facts, currentRules, allowanceOf(steps - 1))
    assert.equal(less, { _tag: 'error', reason: 'expected an evaluation of at most 100000 steps', isExhausted: true })
  })

it('takes a thousand steps for a span of time', () => {
  const text = "CronSpan('0 9 * * *', '8h', 'UTC') || time.now > Timestamp('2026-01-31T09:00:00Z')"
  const facts = { ...anyFacts(), time: { now: new Instant(0), isWithin: () => true } }
  const allowance = allowanceOf(2000)
  assert.equal(evaluate(compiled(compileTime(text)), facts, currentRules, allowance), { _tag: 'value', value: true })
  assert.is(2000 - allowance.steps, 1005)
})

it('errs about time where there is none, or no such zone', () => {
  const span = compiled(compileTime("CronSpan('0 9 * * *', '8h', 'Nowhere/Land')"))
  const reason = (facts: Facts) => {
    const evaluated = evaluate(span, facts)
    return evaluated._tag === 'error' ? evaluated.reason : evaluated._tag
  }
  assert.is(reason(anyFacts()), 'missing field: time')
  const time = { now: new Instant(0), isWithin: () => undefined }
  assert.is(reason({ ...anyFacts(), time }), 'expected a time zone that is known here')
})

for (const [text, steps] of [
  ["params.none == ''", 3],
  ["'' != params.none", 3],
  ['1 < params.none', 3],
  ["'x' in params.none", 3],
  ["params.none in ['x']", 4],
  ['params.none[0] == 1', 3],
  ['params.ids[params.none] == 1', 6],
  ['params.none[0..1].count() == 1', 3],
  ['params.none.any(a, true)', 3],
  ["params.ids.all(a, a == 'a' && params.none == 1)", 10],
  ['!(params.none == 1)', 3],
  ['[1, params.none].count() == 1', 4],
  ['1 == 2 && params.none == 1 && true', 5],
] as const)
  it(`stops after ${steps} steps where a member is missing: ${text}`, () => {
    const facts = withParams({ ids: ['a', 'b', 'c'] })
    const allowance = allowanceOf(1000)
    const expression = compiled(compileCondition(text.replaceAll('params', 'activity.params')))
    const evaluated = evaluate(expression, facts, currentRules, allowance)
    assert.is(evaluated._tag === 'error' && !evaluated.isExhausted, true)
    assert.is(1000 - allowance.steps, steps)
  })

it('takes the steps that are left, and not one more', () => {
  const { expression, facts } = ofSteps(1000)
  assert.is(evaluate(expression, facts, currentRules, allowanceOf(1000))._tag, 'value')
  assert.is(evaluate(expression, facts, currentRules, allowanceOf(999))._tag, 'error')
})

it('charges a question about approvers that could be for each of them, and answers none without steps', () => {
  const yes = compiled(compileConsensus('approvers.count() == 2'))
  const facts = anyFacts({ approvers: ['ada', 'grace'].map((id) => anyUserFact({ id })) })
  const allowance = allowanceOf(1000)
  evaluate(yes, facts, currentRules, allowance)
  const own = 1000 - allowance.steps
  assert.is(holds(yes, facts, currentRules, allowance), true)
  assert.is(allowance.steps, 1000 - 2 * own - currentRules.stepsPerQuestion(2, 0))
  assert.is(holds(yes, facts, currentRules, allowanceOf(own)), true)
  assert.is(holds(compiled(compileConsensus('')), facts, currentRules, allowanceOf(0)), false)
})

it.run()
