import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { users } from '../../organization/users.ts'
import { mfaPoliciesOf, MfaPolicyView } from './mfa-policy-view.ts'

export const getMfaPolicies = query({
  path: 'get_mfa_policies',
  summary: 'Lists the MFA policies of a user.',
  request: t.fields({ organizationId: t.Uuid, userId: t.Uuid }),
  answer: t.fields({ mfaPolicies: t.readonlyArray(MfaPolicyView) }),
  run: ({ userId }, { find }) => ({ mfaPolicies: mfaPoliciesOf(find('user', users, userId)) }),
})
