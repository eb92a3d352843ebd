import * as t from 'io-ts'
import { E, pipe } from '../../prelude.ts'
import { fields, list } from '../../codec/fields.ts'
import { operation } from '../../definition/operation.ts'
import { addPolicy, newPolicies, NewPolicy, PolicyParams } from './new-policies.ts'
import { admitTexts } from './policy-rules.ts'

export const createPolicies = operation({
  type: 'ACTIVITY_TYPE_CREATE_POLICIES',
  path: 'create_policies',
  summary: 'Creates policies, all or none.',
  resource: 'POLICY',
  action: 'CREATE',
  intent: fields({ policies: list(PolicyParams) }),
  result: fields({ policyIds: t.array(t.string) }),
  change: fields({ policies: t.array(NewPolicy) }),

  admit: ({ policies }, { organization }) => admitTexts(policies, organization),
  execute: ({ policies }, context) =>
    pipe(
      newPolicies(policies, (index) => `policies.${index}.`, context),
      E.map((created) => ({
        result: { policyIds: created.map(({ policyId }) => policyId) },
        change: { policies: [...created] },
      })),
    ),

  evolve: (draft, { policies }, { atMs }) => {
    for (const created of policies) addPolicy(draft, created, atMs)
  },
})
