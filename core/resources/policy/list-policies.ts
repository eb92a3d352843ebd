import * as t from '../../codec/t.ts'
import { policies } from '../../organization/policies.ts'
import { InOrganization } from '../in-organization.ts'
import { query } from '../../definition/query.ts'
import { wholeList } from '../whole-list.ts'
import { policyView, PolicyView } from './policy-view.ts'

export const listPolicies = query({
  path: 'list_policies',
  summary: 'Lists all policies.',
  request: InOrganization,
  answer: t.fields({ policies: t.readonlyArray(PolicyView) }),
  run: (_, { organization }) => wholeList('policies', policies.of(organization), policyView),
})
