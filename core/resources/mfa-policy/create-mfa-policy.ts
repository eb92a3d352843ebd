import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { refuse } from '../../definition/refuse.ts'
import { mfaPolicyMembers } from '../../organization/mfa-policies.ts'
import { users } from '../../organization/users.ts'
import { checkCondition } from '../checked-condition.ts'
import { checkSteps } from './authentication-steps.ts'
import { checkRoom } from './check-room.ts'
import { given } from './mfa-policy-params.ts'
import { mfaPolicyLimits } from './mfa-policy-limits.ts'

/** From the next decision on, it counts for all activities of the user that its condition is true for, also for those that wait. */
export const createMfaPolicy = operation({
  type: 'ACTIVITY_TYPE_CREATE_MFA_POLICY',
  path: 'create_mfa_policy',
  summary: 'Creates an MFA policy of a user: which credentials the user has to stamp an activity with.',
  resource: 'MFA_POLICY',
  action: 'CREATE',
  intent: t.fields({ userId: t.Uuid, ...given }, { notes: t.TextOrEmpty }),
  result: t.fields({ mfaPolicyId: t.string }),
  change: t.fields({ userId: t.string, mfaPolicyId: t.string, ...mfaPolicyMembers }, { notes: t.string }),

  execute: (intent, context) => {
    const user = context.find('user', users, intent.userId)
    const { mfaPolicies: most } = mfaPolicyLimits.of(context)
    if (user.mfaPolicies.size >= most)
      throw refuse('RESOURCE_EXHAUSTED', `user has exceeded maximum mfa policies: at most ${most}`)
    checkSteps(intent.requiredAuthenticationMethods, user, context.organization)
    checkCondition('condition', intent.condition, context.language)
    const created = { ...intent, mfaPolicyId: context.ids(), notes: intent.notes || undefined }
    checkRoom(user, created)
    return { result: { mfaPolicyId: created.mfaPolicyId }, change: created }
  },

  evolve: (draft, { userId, ...policy }, { atMs }) => {
    const { mfaPolicies } = users.in(draft).get(userId) ?? {}
    mfaPolicies?.set(policy.mfaPolicyId, { ...policy, createdAtMs: atMs, updatedAtMs: atMs })
  },
})
