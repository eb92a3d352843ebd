import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { evaluate, languageOf } from '../../../../core/policy/expression.ts'
import { anyFacts, compiled } from '../any.ts'
import { naiveEvaluate } from '../naive.ts'
import { facts } from './made-up-facts.ts'
import { OWN } from './own-policies.ts'

const it = suite('policies of each chain')

const language = languageOf({})
const outcome = (text: string, given = facts): string => {
  const evaluated = evaluate(compiled(language.condition(text)), given)
  return evaluated._tag === 'value' ? `${evaluated.value}` : 'error'
}

for (const [chain, rows] of Object.entries(OWN))
  for (const [text, expected] of rows)
    it(`${chain}: ${text} is ${expected}`, () => {
      assert.is(outcome(text), `${expected}`)
      assert.is(`${naiveEvaluate(text, facts)}`, `${expected}`)
      assert.is(outcome(text, anyFacts()), 'error') // what the activity does not have decides nothing
    })

it('are more than sixty', () => {
  assert.ok(Object.values(OWN).flat().length >= 60)
})

it.run()
