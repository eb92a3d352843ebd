import * as t from '../../codec/t.ts'
import { users } from '../../organization/users.ts'
import { InOrganization } from '../in-organization.ts'
import { query } from '../../definition/query.ts'
import { wholeList } from '../whole-list.ts'
import { userView, UserView } from './user-view.ts'

export const listUsers = query({
  path: 'list_users',
  summary: 'Lists all users.',
  request: InOrganization,
  answer: t.fields({ users: t.readonlyArray(UserView) }),
  run: (_, { organization }) => wholeList('users', users.of(organization), userView),
})
