import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { toV2 } from '../api-key/api-key-params.ts'
import { addUser, admitUsers, createdUsers, NewUser, newUserIds } from './new-users.ts'
import { ApiOnlyUserParams } from './user-params.ts'

/** An older way to create users: all that it can do, `create_users` can do, too. */
export const createApiOnlyUsers = operation({
  type: 'ACTIVITY_TYPE_CREATE_API_ONLY_USERS',
  path: 'create_api_only_users',
  summary: 'Creates users who have API keys of P-256 only.',
  resource: 'USER',
  action: 'CREATE',
  intent: t.fields({ apiOnlyUsers: t.some(ApiOnlyUserParams) }),
  result: t.fields({ userIds: t.array(t.string) }),
  change: t.fields({ users: t.array(NewUser) }),

  subjects: ({ apiOnlyUsers }, ids) => newUserIds(apiOnlyUsers, ids),
  admit: ({ apiOnlyUsers }) => admitUsers('apiOnlyUsers', apiOnlyUsers),
  execute: ({ apiOnlyUsers }, context) =>
    createdUsers(
      'apiOnlyUsers',
      apiOnlyUsers.map((user) => ({ ...user, apiKeys: user.apiKeys.map(toV2) })),
      context,
    ),

  evolve: (draft, { users }, { atMs }) => {
    for (const user of users) addUser(draft, user, atMs)
  },
})
