import * as t from 'io-ts'
import { E, pipe } from '../../prelude.ts'
import { fields } from '../../codec/fields.ts'
import { operation, type ExecuteContext } from '../../definition/operation.ts'
import { addPolicy, newPolicies, NewPolicy, PolicyParams } from './new-policies.ts'
import { admitPolicies, refuseSelectors } from './policy-rules.ts'

const execute = (policy: PolicyParams, context: ExecuteContext<undefined>) =>
  pipe(
    newPolicies([policy], () => '', context),
    E.map(([created]) => created as NewPolicy), // one for one
    E.map((created) => ({ result: { policyId: created.policyId }, change: created })),
  )

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

  admit: (policy, context) => admitPolicies([policy], context),
  execute,

  evolve: (draft, created, { atMs }) => addPolicy(draft, created, atMs),
})
