import * as t from 'io-ts'
import { E } from '../../prelude.ts'
import { fields, some } from '../../codec/fields.ts'
import { decodes, operation, type InspectContext } from '../../definition/operation.ts'
import { unsupported } from '../../definition/refusals.ts'
import {
  addUser,
  admitUsers,
  createdUsers,
  NewUser,
  newUserIds,
  nothingRegistered,
  registrationsOf,
} from './new-users.ts'
import { firstToV4, toV4, UserParams, UserParamsV2, UserParamsV4 } from './user-params.ts'

const CreateUsersIntentV4 = fields({ users: some(UserParamsV4) })

type Intent = t.TypeOf<typeof CreateUsersIntentV4>

export const createUsers = operation({
  type: 'ACTIVITY_TYPE_CREATE_USERS_V4',
  path: 'create_users',
  summary: 'Creates users with their API keys, passkeys and tags.',
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
      ...decodes(fields({ users: some(UserParams) }), ({ users }) => E.right({ users: users.map(firstToV4) })),
    },
  ],

  subjects: ({ users }, ids) => newUserIds(users, ids),
  admit: ({ users }) => admitUsers('users', users),
  nothingToInspect: ({ users }) => nothingRegistered(users),
  inspect: ({ users }: Intent, { attestations }: InspectContext) => registrationsOf('users', users, attestations),

  execute: ({ users }, context) =>
    users.some(({ oauthProviders }) => oauthProviders.length > 0)
      ? E.left(unsupported('oauthProviders'))
      : createdUsers('users', users, context, context.inspected),

  evolve: (draft, { users }, { atMs }) => {
    for (const user of users) addUser(draft, user, atMs)
  },
})
