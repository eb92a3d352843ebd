import { policies } from '../../../../core/organization/policies.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createPolicies } from '../../../../core/resources/policy/create-policies.ts'
import { deletePolicies } from '../../../../core/resources/policy/delete-policies.ts'
import { anyOrganization, fieldsOf, NOBODY, uuid } from '../execute.ts'

const it = suite('delete policies')

const withPolicies = () => {
  const tried = anyOrganization()
  const policies = ['a', 'b', 'c'].map((policyName) => ({ policyName, effect: 'EFFECT_ALLOW', notes: '' }))
  tried.execute(createPolicies, { policies })
  return tried
}

it('deletes policies', () => {
  const tried = withPolicies()
  const policyIds = [uuid(7), uuid(5)]
  assert.equal(tried.execute(deletePolicies, { policyIds }).result, { policyIds })
  assert.equal([...policies.of(tried.state).keys()], [uuid(6)])
})

it('refuses all for one that is not there', () => {
  const failure = withPolicies().refuse(deletePolicies, { policyIds: [uuid(5), NOBODY] })
  assert.is(failure.code, 'RESOURCE_NOT_FOUND')
})

it('refuses none, and one twice', () => {
  for (const policyIds of [[], [uuid(5), uuid(5)]])
    assert.equal(fieldsOf(withPolicies().refuse(deletePolicies, { policyIds })), ['policyIds'])
})

it.run()
