import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  compileCondition,
  compileConsensus,
  evaluate,
  type Expression,
  type Facts,
} from '../../../core/policy/expression.ts'
import { anyFacts, compiled } from './any.ts'
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

it.run()
