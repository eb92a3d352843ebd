import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { users } from '../../organization/users.ts'
import { mfaPolicyView, MfaPolicyView } from './mfa-policy-view.ts'

export const getMfaPolicy = query({
  path: 'get_mfa_policy',
  summary: 'Shows an MFA policy of a user.',
  request: t.fields({ organizationId: t.Uuid, userId: t.Uuid, mfaPolicyId: t.Uuid }),
  answer: t.fields({ mfaPolicy: MfaPolicyView }),
  run: ({ userId, mfaPolicyId }, { find }) => ({
    mfaPolicy: mfaPolicyView(find('MFA policy', find('user', users, userId).mfaPolicies, mfaPolicyId)),
  }),
})
