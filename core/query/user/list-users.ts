import { InOrganization } from '../in-organization.ts'
import { query } from '../query.ts'
import { wholeList } from '../whole-list.ts'
import { userView } from './user-view.ts'

export const listUsers = query({
  path: 'list_users',
  summary: 'Lists all users.',
  request: InOrganization,
  answers: ['users'],
  answer: (_, { organization }) => wholeList('users', organization.users, userView),
})
