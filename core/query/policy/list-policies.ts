import { InOrganization } from '../in-organization.ts'
import { query } from '../query.ts'
import { wholeList } from '../whole-list.ts'
import { policyView } from './policy-view.ts'

export const listPolicies = query({
  path: 'list_policies',
  summary: 'Lists all policies.',
  request: InOrganization,
  answers: ['policies'],
  answer: (_, { organization }) => wholeList('policies', organization.policies, policyView),
})
