import { resource } from '../../definition/resource.ts'
import { policies } from '../../organization/policies.ts'
import { policyLimits } from './policy-limits.ts'
import { createPolicy } from './create-policy.ts'
import { createPolicies } from './create-policies.ts'
import { updatePolicy } from './update-policy.ts'
import { deletePolicy } from './delete-policy.ts'
import { deletePolicies } from './delete-policies.ts'
import { getActivePolicies } from './get-active-policies.ts'
import { getPolicy } from './get-policy.ts'
import { listPolicies } from './list-policies.ts'

export {
  createPolicy,
  createPolicies,
  updatePolicy,
  deletePolicy,
  deletePolicies,
  getActivePolicies,
  getPolicy,
  listPolicies,
}

export const policyResource = resource({
  name: 'policies',
  states: [policies],
  limits: policyLimits,
  operations: [createPolicy, createPolicies, updatePolicy, deletePolicy, deletePolicies],
  queries: [getPolicy, listPolicies, getActivePolicies],
})
