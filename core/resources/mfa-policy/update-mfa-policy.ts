import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { mfaPolicyMembers } from '../../organization/mfa-policies.ts'
import { users } from '../../organization/users.ts'
import { checkCondition } from '../checked-condition.ts'
import { checkSteps } from './authentication-steps.ts'
import { checkRoom } from './check-room.ts'
import { given } from './mfa-policy-params.ts'

/** Empty notes remove the notes. */
export const updateMfaPolicy = operation({
  type: 'ACTIVITY_TYPE_UPDATE_MFA_POLICY',
  path: 'update_mfa_policy',
  summary: 'Changes those members of an MFA policy that the intent has.',
  resource: 'MFA_POLICY',
  action: 'UPDATE',
  intent: t.fields({ userId: t.Uuid, mfaPolicyId: t.Uuid }, { ...given, notes: t.TextOrEmpty }),
  result: t.fields({ mfaPolicyId: t.string }),
  change: t.fields({ userId: t.string, mfaPolicyId: t.string }, { ...mfaPolicyMembers, notes: t.string }),

  execute: (intent, { find, language, organization }) => {
    const { userId, mfaPolicyId, condition, requiredAuthenticationMethods: steps } = intent
    const user = find('user', users, userId)
    const policy = find('MFA policy', user.mfaPolicies, mfaPolicyId)
    if (steps !== undefined) checkSteps(steps, user, organization)
    if (condition !== undefined) checkCondition('condition', condition, language)
    checkRoom(user, {
      mfaPolicyId,
      condition: condition ?? policy.condition,
      requiredAuthenticationMethods: steps ?? policy.requiredAuthenticationMethods,
      notes: intent.notes ?? policy.notes,
    })
    return { result: { mfaPolicyId }, change: intent }
  },

  evolve: (draft, { userId, mfaPolicyId, notes, ...changed }, { atMs }) => {
    const policy = users.in(draft).get(userId)?.mfaPolicies.get(mfaPolicyId)
    if (policy === undefined) return
    Object.assign(policy, changed, notes === undefined ? {} : { notes: notes || undefined }, { updatedAtMs: atMs })
  },
})
