import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createPolicy } from '../../../../core/resources/policy/create-policy.ts'
import { getPolicy } from '../../../../core/resources/policy/get-policy.ts'
import { listPolicies } from '../../../../core/resources/policy/list-policies.ts'
import { anyOrganization, NOBODY, uuid } from '../execute.ts'
import { answer, refusal } from '../ask.ts'

const it = suite('list policies')

const at = { seconds: '1700000000', nanos: '0' }

it('shows texts that are not set as empty ones', async () => {
  const tried = anyOrganization()
  tried.execute(createPolicy, { policyName: 'signing', effect: 'EFFECT_ALLOW' })
  const policy = {
    policyId: uuid(5),
    policyName: 'signing',
    effect: 'EFFECT_ALLOW',
    condition: '',
    consensus: '',
    notes: '',
    createdAt: at,
    updatedAt: at,
  }
  assert.equal(await answer(getPolicy, tried.state, { policyId: uuid(5) }), { policy })
  assert.equal(await answer(listPolicies, tried.state), { policies: [policy] })
})

it('lists no policies as an empty list', async () =>
  assert.equal(await answer(listPolicies, anyOrganization().state), { policies: [] }))

it('finds no policy that is not there', async () =>
  assert.is((await refusal(getPolicy, anyOrganization().state, { policyId: NOBODY })).code, 'RESOURCE_NOT_FOUND'))

it.run()
