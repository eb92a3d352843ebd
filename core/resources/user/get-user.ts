import * as t from '../../codec/t.ts'
import { users } from '../../organization/users.ts'
import { query } from '../../definition/query.ts'
import { userView, UserView } from './user-view.ts'

export const getUser = query({
  path: 'get_user',
  summary: 'Shows a user.',
  request: t.fields({ organizationId: t.Uuid, userId: t.Uuid }),
  answer: t.fields({ user: UserView }),
  run: ({ userId }, { find }) => ({ user: userView(find('user', users, userId)) }),
})
