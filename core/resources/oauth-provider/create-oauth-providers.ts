import * as t from '../../codec/t.ts'
import { decodes, operation, type ExecuteContext } from '../../definition/operation.ts'
import { refuse } from '../../definition/refuse.ts'
import { users } from '../../organization/users.ts'
import { admitAfterDeletions } from '../api-key/new-api-keys.ts'
import { changeUser } from '../user/change-user.ts'
import {
  addOauthProvider,
  admitProviders,
  checkProviderCount,
  checkUniqueProviders,
  NewOauthProvider,
  newOauthProvider,
  readProviders,
  vouchesForEmail,
  type ReadProvider,
} from './new-oauth-providers.ts'
import { OauthProviderParams, OauthProviderParamsV2, tokensOf } from './oauth-provider-params.ts'
import { tokenIn } from './token-keys.ts'
import { noKeys, tokenWork, verifyTokens } from './token-work.ts'

const Intent = t.fields({ userId: t.Uuid, oauthProviders: t.list(OauthProviderParamsV2) })
type Intent = t.TypeOf<typeof Intent>

const First = t.fields({ userId: t.Uuid, oauthProviders: t.list(OauthProviderParams) })

const resultName = 'createOauthProvidersResult'

/** Somebody of the parent may do it, too: whoever has signed up with an e-mail address signs in by the account that has the same. */
export const createOauthProviders = operation({
  type: 'ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS_V2',
  path: 'create_oauth_providers',
  summary: 'Registers accounts of a user at identity providers.',
  resource: 'CREDENTIAL',
  action: 'CREATE',
  intent: Intent,
  resultName: `${resultName}V2`,
  result: t.fields({ providerIds: t.array(t.string) }),
  change: t.fields({ userId: t.subject(t.string), oauthProviders: t.array(NewOauthProvider) }),
  versions: [
    { type: 'ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS', resultName, ...decodes(First, (intent): Intent => intent) },
  ],
  callers: 'own-or-parent',
  passwords: ['oidcToken'],
  paramNames: ['user_id'],
  params: ({ userId }) => ({ user_id: userId }),
  isOwnCredentials: ({ userId }, requester) => userId === requester,
  subjects: ({ userId }) => [userId],
  credentialsLiveMs: () => Infinity,
  admit: ({ userId, oauthProviders }, { organization, atMs }) => {
    admitProviders(oauthProviders.length)
    admitAfterDeletions(users.of(organization).get(userId), atMs)
  },

  nothingToPerform: ({ oauthProviders }) => noKeys(tokensOf(oauthProviders)),
  check: (intent, context) => {
    addedBy(intent, context)
    return tokensOf(intent.oauthProviders)
  },
  perform: tokenWork,
  verify: verifyTokens,

  execute: (intent, context) => {
    const { userId } = intent
    const oauthProviders = addedBy(intent, context).map((read) => newOauthProvider(read, context.ids()))
    return {
      result: { providerIds: oauthProviders.map(({ providerId }) => providerId) },
      change: { userId, oauthProviders },
    }
  },

  evolve: (draft, { userId, oauthProviders }, { atMs }) =>
    changeUser(draft, userId, atMs, (user) => {
      for (const added of oauthProviders) addOauthProvider(user, added, atMs)
    }),
})

/** What the request adds, if nothing is against it. */
const addedBy = (
  { userId, oauthProviders }: Intent,
  context: Pick<ExecuteContext<unknown>, 'organization' | 'requester' | 'atMs' | 'limits' | 'find'>,
): readonly ReadProvider[] => {
  const { organization, requester, limits, find } = context
  const user = find('user', users, userId)
  const added = readProviders(oauthProviders, (token) => tokenIn(token, context))
  const isOfParent = !users.of(organization).has(requester)
  if (isOfParent && !added.every(({ token }) => vouchesForEmail(token, user)))
    throw refuse(
      'REQUEST_NOT_AUTHORIZED',
      "request not authorized: the parent may register accounts at Google only, by tokens with the user's verified e-mail address",
    )
  checkProviderCount(user, added.length, limits)
  checkUniqueProviders(organization, added)
  return added
}
