import * as t from 'io-ts'
import { E, pipe } from '../../prelude.ts'
import { fields } from '../../codec/fields.ts'
import { operation } from '../../definition/operation.ts'
import { addPolicy, newPolicies, NewPolicy, PolicyParams } from './new-policies.ts'
import { admitTexts, refuseSelectors } from './policy-rules.ts'

export const createPolicy = operation({
  type: 'ACTIVITY_TYPE_CREATE_POLICY_V3',
  path: 'create_policy',
  summary: 'Creates a policy that allows or denies activities.',
  resource: 'POLICY',
  action: 'CREATE',
  intent: PolicyParams,
  result: fields({ policyId: t.string }),
  change: NewPolicy,
  versions: [
    { type: 'ACTIVITY_TYPE_CREATE_POLICY_V2', decodeIntent: refuseSelectors },
    { type: 'ACTIVITY_TYPE_CREATE_POLICY', decodeIntent: refuseSelectors },
  ],

  admit: (policy, { organization }) => admitTexts([policy], organization),
  execute: (policy, context) =>
    pipe(
      newPolicies([policy], () => '', context),
      E.map(([created]) => created as NewPolicy), // one for one
      E.map((created) => ({ result: { policyId: created.policyId }, change: created })),
    ),

  evolve: (draft, created, { atMs }) => addPolicy(draft, created, atMs),
})
