import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { Method, StepViews } from './authentication-steps.ts'

const MfaStatus = t.named(
  'MfaStatus',
  t.fields({
    mfaPolicyId: t.Uuid,
    userId: t.Uuid,
    satisfied: t.boolean,
    satisfiedMethods: t.readonlyArray(Method),
    requiredMethods: StepViews,
  }),
)

/** Only of voters with a policy that counts: clients ask for a factor as long as there is an entry that is not satisfied. */
export const getMfaStatus = query({
  path: 'get_mfa_status',
  // While a factor is missing, clients ask in the organization in which they have signed in.
  searchesBelow: true,
  summary: 'Tells which steps of their MFA policies those have met who have voted on an activity.',
  request: t.fields({ organizationId: t.Uuid, activityId: t.Uuid }, { userId: t.Uuid }),
  answer: t.fields({ mfaStatuses: t.readonlyArray(MfaStatus) }),
  run: async ({ activityId, userId }, { factors }) => ({
    mfaStatuses: (await factors(activityId))
      .filter((one) => userId === undefined || one.userId === userId)
      .map(({ policy, met, isMet, ...one }) => ({
        mfaPolicyId: policy.mfaPolicyId,
        userId: one.userId,
        satisfied: isMet,
        satisfiedMethods: met.map(({ method }) => method),
        requiredMethods: policy.requiredAuthenticationMethods,
      })),
  }),
})
