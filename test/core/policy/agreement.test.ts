import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { STEPS_MAX } from '../../../core/policy/evaluator.ts'
import { allowanceOf, evaluate, languageOf, type Compiled, type Expression } from '../../../core/policy/expression.ts'
import { parse } from '../../../core/policy/parser.ts'
import { currentRules } from '../../../core/policy/rules.ts'
import { caseOf, drawsOf, type Case, type Draw } from './generated.ts'
import { naiveEvaluate } from './naive.ts'
import { print } from './printer.ts'

/* The whole language on generated expressions. POLICY_CASES and POLICY_SEED make it more, and others. */
const it = suite('policy language')

const CASES = Number(process.env['POLICY_CASES'] ?? 20_000)
const FIRST = Number(process.env['POLICY_SEED'] ?? 1)

const language = languageOf({})
const compiledOf = (one: Case): Expression => {
  const result = compileOf(one)
  if (result._tag === 'Left') throw new Error(`${result.left.message}: ${one.text}`)
  return result.right
}
const compileOf = ({ clause, text }: Pick<Case, 'clause' | 'text'>): Compiled => language[clause](text)

const answer = (one: Case): boolean | 'error' => {
  const evaluated = evaluate(compiledOf(one), one.facts)
  return evaluated._tag === 'value' ? evaluated.value : 'error'
}

const eachCase = (count: number, check: (one: Case, seed: number) => void, first = FIRST): void => {
  for (let seed = first; seed < first + count; seed += 1) check(caseOf(seed), seed)
}

// In parts, because each test has a limit of time.
const PART = 100_000

for (let first = FIRST; first < FIRST + CASES; first += PART) {
  const count = Math.min(PART, FIRST + CASES - first)
  it(`agrees with a naive evaluator on the ${count} expressions from ${first}`, () => {
    const seen = { true: 0, false: 0, error: 0 }
    const check = (one: Case, seed: number) => {
      const given = answer(one)
      seen[`${given}`] += 1
      assert.is(given, naiveEvaluate(one.text, one.facts), `seed ${seed}: ${one.clause}: ${one.text}`)
    }
    eachCase(count, check, first)
    // Else it would agree on little.
    for (const times of Object.values(seen)) assert.ok(times > count / 20, JSON.stringify(seen))
  })
}

it('prints what it parses', () => {
  eachCase(2000, ({ text }) => {
    const parsed = parse(text)
    const printed = parsed._tag === 'Right' ? print(parsed.right) : ''
    const again = parse(printed)
    assert.is(again._tag === 'Right' ? print(again.right) : 'refused', printed, text)
  })
})

it('takes as many steps as it is given, and no more', () => {
  eachCase(2000, (one) => {
    const expression = compiledOf(one)
    const whole = allowanceOf(STEPS_MAX)
    const result = evaluate(expression, one.facts, currentRules, whole)
    const steps = STEPS_MAX - whole.steps
    assert.ok(steps <= STEPS_MAX)
    assert.equal(evaluate(expression, one.facts, currentRules, allowanceOf(steps)), result, one.text)
    if (steps === 0) return
    const less = evaluate(expression, one.facts, currentRules, allowanceOf(steps - 1))
    assert.is(less._tag, 'error', one.text)
    if (result._tag === 'value') assert.is(less._tag === 'error' && less.isExhausted, true, one.text)
  })
})

const PIECES = [
  ..."{}[]().,:'!<>=&|- \n",
  'time',
  'count',
  '1',
  "'a'",
  '..',
  '{ a: ',
  'CronSpan(',
  'in',
  'x',
  '#',
  '\0',
]

const mutated = (text: string, draw: Draw): string => {
  let changed = text
  for (let times = 1 + draw(2); times > 0; times -= 1) {
    const at = draw(changed.length + 1)
    const piece = PIECES[draw(PIECES.length)] ?? ''
    changed = changed.slice(0, at) + (draw(2) === 0 ? piece : '') + changed.slice(at + draw(3))
  }
  return changed
}

it('answers for mutated texts: with an expression that can be evaluated, or with problems that have places', () => {
  const refused = { true: 0, false: 0 }
  eachCase(5000, ({ clause, text, facts }, seed) => {
    const other = mutated(text, drawsOf(seed))
    const result = compileOf({ clause, text: other })
    refused[`${result._tag === 'Left'}`] += 1
    if (result._tag === 'Right') assert.ok(evaluate(result.right, facts))
    else
      for (const { line, column, at } of result.left.problems) {
        assert.ok(at >= 0 && at <= other.length, other)
        assert.ok(line >= 1 && line <= other.split('\n').length && column >= 1, other)
      }
  })
  assert.ok(refused.true > 1000 && refused.false > 200, JSON.stringify(refused))
})

it.run()
