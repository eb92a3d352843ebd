import * as t from '../../codec/t.ts'
import { policies } from '../../organization/policies.ts'
import { query } from '../../definition/query.ts'
import { policyView, PolicyView } from './policy-view.ts'

export const getPolicy = query({
  path: 'get_policy',
  summary: 'Shows a policy.',
  request: t.fields({ organizationId: t.Uuid, policyId: t.Uuid }),
  answer: t.fields({ policy: PolicyView }),
  run: ({ policyId }, { find }) => ({ policy: policyView(find('policy', policies, policyId)) }),
})
