import * as t from 'io-ts'
import { E } from '../../prelude.ts'
import { fields, some } from '../../codec/fields.ts'
import { decodes, operation } from '../../definition/operation.ts'
import { unsupported } from '../../definition/refusals.ts'
import { addUser, admitUsers, createdUsers, NewUser, newUserIds } from './new-users.ts'
import { toV4, UserParams, UserParamsV2, UserParamsV4 } from './user-params.ts'

const CreateUsersIntentV4 = fields({ users: some(UserParamsV4) })

export const createUsers = operation({
  type: 'ACTIVITY_TYPE_CREATE_USERS_V4',
  path: 'create_users',
  summary: 'Creates users with their API keys and tags.',
  resource: 'USER',
  action: 'CREATE',
  intent: CreateUsersIntentV4,
  result: fields({ userIds: t.array(t.string) }),
  change: fields({ users: t.array(NewUser) }),
  versions: [
    { type: 'ACTIVITY_TYPE_CREATE_USERS_V3', ...decodes(CreateUsersIntentV4, E.right) },
    {
      type: 'ACTIVITY_TYPE_CREATE_USERS_V2',
      ...decodes(fields({ users: some(UserParamsV2) }), ({ users }) => E.right({ users: users.map(toV4) })),
    },
    {
      type: 'ACTIVITY_TYPE_CREATE_USERS',
      ...decodes(fields({ users: some(UserParams) }), ({ users }) => E.right({ users: users.map(toV4) })),
    },
  ],

  subjects: ({ users }, ids) => newUserIds(users, ids),
  admit: ({ users }) => admitUsers(users),
  execute: ({ users }, context) => {
    if (users.some(({ authenticators }) => authenticators.length > 0)) return E.left(unsupported('authenticators'))
    if (users.some(({ oauthProviders }) => oauthProviders.length > 0)) return E.left(unsupported('oauthProviders'))
    return createdUsers('users', users, context)
  },

  evolve: (draft, { users }, { atMs }) => {
    for (const user of users) addUser(draft, user, atMs)
  },
})
