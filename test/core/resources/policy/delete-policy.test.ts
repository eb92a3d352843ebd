import { policies } from '../../../../core/organization/policies.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createPolicy } from '../../../../core/resources/policy/create-policy.ts'
import { deletePolicy } from '../../../../core/resources/policy/delete-policy.ts'
import { anyOrganization, fieldsOf, NOBODY, uuid } from '../execute.ts'

const it = suite('delete policy')

it('deletes a policy, whose name is free again', () => {
  const tried = anyOrganization()
  const policy = { policyName: 'signing', effect: 'EFFECT_ALLOW', notes: '' }
  tried.execute(createPolicy, policy)
  assert.equal(tried.execute(deletePolicy, { policyId: uuid(5) }).result, { policyId: uuid(5) })
  assert.is(policies.of(tried.state).size, 0)
  tried.execute(createPolicy, policy)
})

it('refuses a policy that is not there', () => {
  assert.is(anyOrganization().refuse(deletePolicy, { policyId: NOBODY }).code, 'RESOURCE_NOT_FOUND')
  assert.equal(fieldsOf(anyOrganization().refuse(deletePolicy, { policyId: 'signing' })), ['policyId'])
})

it.run()
