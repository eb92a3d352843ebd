import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { addPolicy, newPolicies, NewPolicy, PolicyParams } from './new-policies.ts'
import { admitPolicies, refuseSelectors } from './policy-rules.ts'

export const createPolicy = operation({
  type: 'ACTIVITY_TYPE_CREATE_POLICY_V3',
  path: 'create_policy',
  summary: 'Creates a policy that allows or denies activities.',
  resource: 'POLICY',
  action: 'CREATE',
  intent: PolicyParams,
  result: t.fields({ policyId: t.string }),
  change: NewPolicy,
  versions: [
    { type: 'ACTIVITY_TYPE_CREATE_POLICY_V2', decodeIntent: refuseSelectors },
    { type: 'ACTIVITY_TYPE_CREATE_POLICY', decodeIntent: refuseSelectors },
  ],

  admit: (policy, context) => admitPolicies([policy], context),
  execute: (policy, context) => {
    const [created] = newPolicies([policy], () => '', context)
    return { result: { policyId: created.policyId }, change: created }
  },

  evolve: (draft, created, { atMs }) => addPolicy(draft, created, atMs),
})
