import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { policies } from '../../organization/policies.ts'
import { allowanceOf } from '../../policy/expression.ts'
import { currentRules } from '../../policy/rules.ts'
import { momentAt } from '../../policy/time-clause.ts'
import { InOrganization } from '../in-organization.ts'

const ActivePolicyStatus = t.named(
  'ActivePolicyStatus',
  t.fields({ organizationId: t.Uuid, policyId: t.Uuid, active: t.boolean }, { timeExpr: t.string, error: t.string }),
)
type ActivePolicyStatus = t.TypeOf<typeof ActivePolicyStatus>

export const getActivePolicies = query({
  path: 'get_active_policies',
  summary: 'Tells which policies apply at this time, as far as their times say.',
  request: InOrganization,
  answer: t.fields({ statuses: t.readonlyArray(ActivePolicyStatus), evaluatedAtMs: t.string }),
  run: (_, { organization, atMs, language, timeZones }) => {
    const allowance = allowanceOf(currentRules.eligibilitySteps) // one for all, or the answer could take seconds
    const moment = momentAt(atMs, { language, timeZones })
    const statuses = [...policies.of(organization).values()].map((policy): ActivePolicyStatus => {
      const state = moment(policy, allowance)
      return {
        organizationId: organization.organizationId,
        policyId: policy.policyId,
        active: state._tag === 'active',
        ...(policy.time === '' ? {} : { timeExpr: policy.time }),
        ...('reason' in state ? { error: state.reason } : {}),
      }
    })
    return { statuses, evaluatedAtMs: String(atMs) }
  },
})
