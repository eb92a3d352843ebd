import * as t from '../../codec/t.ts'
import { decodes, operation, type ExecuteContext, type InspectContext } from '../../definition/operation.ts'
import { needsAttestations } from '../authenticator/new-authenticators.ts'
import { tokensOf } from '../oauth-provider/oauth-provider-params.ts'
import { tokenIn } from '../oauth-provider/token-keys.ts'
import { noKeys, tokenWork, verifyTokens } from '../oauth-provider/token-work.ts'
import {
  addUser,
  admitUsers,
  createdUsers,
  NewUser,
  newUserIds,
  nothingRegistered,
  providersOf,
  registrationsOf,
  type Registrations,
} from './new-users.ts'
import { firstToV4, toV4, UserParams, UserParamsV2, UserParamsV3, UserParamsV4 } from './user-params.ts'

const CreateUsersIntentV3 = t.fields({ users: t.some(UserParamsV3) })
const CreateUsersIntentV4 = t.fields({ users: t.some(UserParamsV4) })

type Intent = t.TypeOf<typeof CreateUsersIntentV4>

/** The identity tokens of all users, in order. */
const tokensIn = ({ users }: Intent): readonly string[] =>
  users.flatMap(({ oauthProviders }) => tokensOf(oauthProviders))

export const createUsers = operation({
  type: 'ACTIVITY_TYPE_CREATE_USERS_V4',
  path: 'create_users',
  summary: 'Creates users with their API keys, passkeys, identity providers and tags.',
  resource: 'USER',
  action: 'CREATE',
  intent: CreateUsersIntentV4,
  result: t.fields({ userIds: t.array(t.string) }),
  change: t.fields({ users: t.array(NewUser) }),
  versions: [
    { type: 'ACTIVITY_TYPE_CREATE_USERS_V3', ...decodes(CreateUsersIntentV3, (intent): Intent => intent) },
    {
      type: 'ACTIVITY_TYPE_CREATE_USERS_V2',
      ...decodes(t.fields({ users: t.some(UserParamsV2) }), ({ users }) => ({ users: users.map(toV4) })),
    },
    {
      type: 'ACTIVITY_TYPE_CREATE_USERS',
      ...decodes(t.fields({ users: t.some(UserParams) }), ({ users }) => ({ users: users.map(firstToV4) })),
    },
  ],

  passwords: ['oidcToken'],
  subjects: ({ users }, ids) => newUserIds(users, ids),
  admit: ({ users }) => admitUsers('users', users),
  nothingToInspect: ({ users }) => nothingRegistered(users),
  inspectNeeds: needsAttestations,
  inspect: ({ users }: Intent, { ports }: InspectContext<typeof needsAttestations>) =>
    registrationsOf('users', users, ports.attestations),

  nothingToPerform: (intent) => noKeys(tokensIn(intent)),
  check: (intent, context) => {
    created(intent, context)
    return tokensIn(intent)
  },
  perform: tokenWork,
  verify: verifyTokens,

  execute: (intent, context) => created(intent, context),

  evolve: (draft, { users }, { atMs }) => {
    for (const user of users) addUser(draft, user, atMs)
  },
})

const created = (
  { users }: Intent,
  context: Pick<
    ExecuteContext<unknown, Registrations>,
    'organization' | 'ids' | 'limits' | 'atMs' | 'findAll' | 'inspected'
  >,
) => {
  const providers = providersOf('users', users, (token) => tokenIn(token, context))
  return createdUsers('users', users, context, { registrations: context.inspected, providers })
}
