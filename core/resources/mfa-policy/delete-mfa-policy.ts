import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { users } from '../../organization/users.ts'

export const deleteMfaPolicy = operation({
  type: 'ACTIVITY_TYPE_DELETE_MFA_POLICY',
  path: 'delete_mfa_policy',
  summary: 'Deletes an MFA policy of a user.',
  resource: 'MFA_POLICY',
  action: 'DELETE',
  intent: t.fields({ userId: t.Uuid, mfaPolicyId: t.Uuid }),
  result: t.fields({ mfaPolicyId: t.string }),
  change: t.fields({ userId: t.string, mfaPolicyId: t.string }),

  execute: (intent, { find }) => {
    const { userId, mfaPolicyId } = intent
    find('MFA policy', find('user', users, userId).mfaPolicies, mfaPolicyId)
    return { result: { mfaPolicyId }, change: intent }
  },

  evolve: (draft, { userId, mfaPolicyId }) => {
    users.in(draft).get(userId)?.mfaPolicies.delete(mfaPolicyId)
  },
})
