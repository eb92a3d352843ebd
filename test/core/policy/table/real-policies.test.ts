import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { policies } from '../../../../core/organization/policies.ts'
import { evaluate, languageOf, problemsOf, type Expression } from '../../../../core/policy/expression.ts'
import { warningsOf } from '../../../../core/policy/warnings.ts'
import { createPolicy } from '../../../../core/resources/policy/create-policy.ts'
import { vectorFile } from '../../../vectors.ts'
import { anyOrganization } from '../../resources/execute.ts'
import { compiled } from '../any.ts'
import { facts } from './made-up-facts.ts'
import { FAILING_CONDITIONS, NEVER_TRUE, TRUE_CONDITIONS, TRUE_CONSENSUSES, WRONG } from './real-policies.ts'

/* Policies of public example programs: each is checked, stored and evaluated, or its mistake is named. */
const it = suite('real policies')

type Policy = { readonly id: number; readonly condition?: string; readonly consensus?: string }

const all = vectorFile<readonly Policy[]>('policies', 'policies.json') ?? []
const language = languageOf({})
const known = {
  values: { type: new Set<string>(), kind: new Set<string>(), resource: new Set<string>(), action: new Set<string>() },
  params: undefined,
  tags: undefined,
}

const outcome = (expression: Expression): string => {
  const evaluated = evaluate(expression, facts)
  return evaluated._tag === 'value' ? `${evaluated.value}` : 'error'
}

const expected = (id: number): readonly [string, string] => [
  FAILING_CONDITIONS.includes(id) ? 'error' : `${TRUE_CONDITIONS.includes(id)}`,
  `${TRUE_CONSENSUSES.includes(id)}`,
]

for (const { id, condition = '', consensus = '' } of all) {
  const wrong = WRONG.filter((one) => one.id === id)
  const texts = { policyName: `policy ${id}`, effect: 'EFFECT_ALLOW', condition, consensus }
  if (wrong.length === 0) {
    it(`takes policy ${id}`, () => {
      assert.equal([...problemsOf('condition', condition), ...problemsOf('consensus', consensus)], [])
      const tried = anyOrganization()
      tried.execute(createPolicy, texts)
      const [stored] = policies.of(tried.state).values()
      assert.equal([stored?.condition, stored?.consensus], [condition, consensus])
      const clauses = [compiled(language.condition(condition)), compiled(language.consensus(consensus))]
      assert.equal(clauses.map(outcome), expected(id))
      const warnings = warningsOf({ condition, consensus }, known)
      assert.equal(
        warnings.filter((warning) => warning.includes('never')),
        (NEVER_TRUE[id] ?? []).map((warning) => `condition: ${warning}`),
      )
    })
    continue
  }
  it(`refuses policy ${id}: ${wrong.map(({ why }) => why).join(', ')}`, () => {
    const failure = anyOrganization().refuse(createPolicy, texts)
    assert.is(failure.code, 'REQUEST_INVALID')
    for (const { clause, says } of wrong) {
      const result = language[clause](clause === 'condition' ? condition : consensus)
      assert.match(result._tag === 'Left' ? result.left.message : 'accepted', says)
    }
  })
}

it('knows all of them, where they are there', () => {
  const ids = new Set(all.map(({ id }) => id))
  if (ids.size === 0) return assert.equal(all, [])
  assert.is(ids.size, 142)
  for (const { id } of WRONG) assert.ok(ids.has(id))
})

it.run()
