import * as t from '../../codec/t.ts'
import { refuse } from '../../definition/refuse.ts'
import { decodes, operation, type InspectContext } from '../../definition/operation.ts'
import { needsAttestations } from '../authenticator/new-authenticators.ts'
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

const CreateUsersIntentV4 = t.fields({ users: t.some(UserParamsV4) })

type Intent = t.TypeOf<typeof CreateUsersIntentV4>

export const createUsers = operation({
  type: 'ACTIVITY_TYPE_CREATE_USERS_V4',
  path: 'create_users',
  summary: 'Creates users with their API keys, passkeys and tags.',
  resource: 'USER',
  action: 'CREATE',
  intent: CreateUsersIntentV4,
  result: t.fields({ userIds: t.array(t.string) }),
  change: t.fields({ users: t.array(NewUser) }),
  versions: [
    { type: 'ACTIVITY_TYPE_CREATE_USERS_V3', ...decodes(CreateUsersIntentV4, (intent) => intent) },
    {
      type: 'ACTIVITY_TYPE_CREATE_USERS_V2',
      ...decodes(t.fields({ users: t.some(UserParamsV2) }), ({ users }) => ({ users: users.map(toV4) })),
    },
    {
      type: 'ACTIVITY_TYPE_CREATE_USERS',
      ...decodes(t.fields({ users: t.some(UserParams) }), ({ users }) => ({ users: users.map(firstToV4) })),
    },
  ],

  subjects: ({ users }, ids) => newUserIds(users, ids),
  admit: ({ users }) => admitUsers('users', users),
  nothingToInspect: ({ users }) => nothingRegistered(users),
  inspectNeeds: needsAttestations,
  inspect: ({ users }: Intent, { ports }: InspectContext<typeof needsAttestations>) =>
    registrationsOf('users', users, ports.attestations),

  execute: ({ users }, context) => {
    if (users.some(({ oauthProviders }) => oauthProviders.length > 0)) throw refuse.unsupported('oauthProviders')
    return createdUsers('users', users, context, context.inspected)
  },

  evolve: (draft, { users }, { atMs }) => {
    for (const user of users) addUser(draft, user, atMs)
  },
})
