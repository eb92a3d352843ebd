import * as t from 'io-ts'
import { E, pipe } from '../../prelude.ts'
import { fields, list } from '../../codec/fields.ts'
import { operation, type ExecuteContext } from '../../definition/operation.ts'
import { addPolicy, newPolicies, NewPolicy, PolicyParams } from './new-policies.ts'
import { admitPolicies } from './policy-rules.ts'

const Intent = fields({ policies: list(PolicyParams) })
type Intent = t.TypeOf<typeof Intent>

const execute = ({ policies }: Intent, context: ExecuteContext<undefined>) =>
  pipe(
    newPolicies(policies, (index) => `policies.${index}.`, context),
    E.map((created) => ({
      result: { policyIds: created.map(({ policyId }) => policyId) },
      change: { policies: [...created] },
    })),
  )

export const createPolicies = operation({
  type: 'ACTIVITY_TYPE_CREATE_POLICIES',
  path: 'create_policies',
  summary: 'Creates policies, all or none.',
  resource: 'POLICY',
  action: 'CREATE',
  intent: Intent,
  result: fields({ policyIds: t.array(t.string) }),
  change: fields({ policies: t.array(NewPolicy) }),

  admit: ({ policies }, context) => admitPolicies(policies, context),
  execute,

  evolve: (draft, { policies }, { atMs }) => {
    for (const created of policies) addPolicy(draft, created, atMs)
  },
})
