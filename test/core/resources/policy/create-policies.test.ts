import { policies } from '../../../../core/organization/policies.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createPolicies } from '../../../../core/resources/policy/create-policies.ts'
import { anyOrganization, fieldsOf, uuid } from '../execute.ts'

const it = suite('create policies')

const named = (policyName: string, more = {}) => ({ policyName, effect: 'EFFECT_ALLOW', notes: '', ...more })

it('creates policies in order', () => {
  const tried = anyOrganization()
  const { result } = tried.execute(createPolicies, { policies: [named('a'), named('b')] })
  assert.equal(result, { policyIds: [uuid(5), uuid(6)] })
  assert.equal(
    [...policies.of(tried.state).values()].map(({ policyName }) => policyName),
    ['a', 'b'],
  )
})

it('creates none from an empty list', () =>
  assert.equal(anyOrganization().execute(createPolicies, { policies: [] }).result, { policyIds: [] }))

it('refuses all for one name twice, in the intent or with what is there', () => {
  const tried = anyOrganization()
  const within = tried.refuse(createPolicies, { policies: [named('a'), named('a')] })
  assert.is(within.message, 'policy label must be unique')
  assert.equal(fieldsOf(within), ['policies.1.policyName'])
  tried.execute(createPolicies, { policies: [named('a')] })
  assert.equal(fieldsOf(tried.refuse(createPolicies, { policies: [named('b'), named('a')] })), [
    'policies.1.policyName',
  ])
})

it('refuses all for one that cannot be evaluated', () => {
  const refuse = (more: object) =>
    anyOrganization().refuse(createPolicies, { policies: [named('a'), named('b', more)] })
  assert.match(refuse({ condition: '(' }).message, 'invalid policy condition')
  assert.match(refuse({ time: 'now' }).message, 'invalid policy time: ')
})

it('refuses more policies than the organization may have', () => {
  const parameters = { policies: [named('a'), named('b')] }
  const failure = anyOrganization().refuse(createPolicies, parameters, { limits: { policies: 1 } })
  assert.is(failure.code, 'RESOURCE_EXHAUSTED')
})

it.run()
