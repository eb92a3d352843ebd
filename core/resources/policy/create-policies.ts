import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { addPolicy, newPolicies, NewPolicy, PolicyParams } from './new-policies.ts'
import { admitPolicies } from './policy-rules.ts'

export const createPolicies = operation({
  type: 'ACTIVITY_TYPE_CREATE_POLICIES',
  path: 'create_policies',
  summary: 'Creates policies, all or none.',
  resource: 'POLICY',
  action: 'CREATE',
  intent: t.fields({ policies: t.list(PolicyParams) }),
  result: t.fields({ policyIds: t.array(t.string) }),
  change: t.fields({ policies: t.array(NewPolicy) }),

  admit: ({ policies }, context) => admitPolicies(policies, context),
  execute: ({ policies }, context) => {
    const created = newPolicies(policies, (index) => `policies.${index}.`, context)
    return { result: { policyIds: created.map(({ policyId }) => policyId) }, change: { policies: created } }
  },

  evolve: (draft, { policies }, { atMs }) => {
    for (const created of policies) addPolicy(draft, created, atMs)
  },
})
