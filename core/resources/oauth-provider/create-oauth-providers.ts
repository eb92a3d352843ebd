import * as t from '../../codec/t.ts'
import { decodes, operation, type ExecuteContext } from '../../definition/operation.ts'
import { refuse } from '../../definition/refuse.ts'
import { isProxyUser, linksClient } from '../../organization/auth-proxy.ts'
import { parentOf } from '../../organization/profile.ts'
import type { Organization } from '../../organization/state.ts'
import { users, type User } from '../../organization/users.ts'
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
  context: Pick<ExecuteContext<unknown>, 'organization' | 'requester' | 'others' | 'atMs' | 'limits' | 'find'>,
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
  const parent = isOfParent ? context.others.get(parentOf(organization) ?? '') : undefined
  if (parent !== undefined && isProxyUser(parent, requester)) checkLinked(parent, user, added)
  checkProviderCount(user, added.length, limits)
  checkUniqueProviders(organization, added)
  return added
}

/**
 * What the auth proxy may register: nobody knows by whose hands its key acts. So the token has to be for a client that the parent has named, and not
 * for another app to which the person has given one; and the person has to have the address here, and not only to have written it.
 */
const checkLinked = (parent: Organization, { isEmailVerified }: User, added: readonly ReadProvider[]): void => {
  if (isEmailVerified !== true || !added.every(({ identity }) => linksClient(parent, identity.audience)))
    throw refuse(
      'REQUEST_NOT_AUTHORIZED',
      'request not authorized: the auth proxy may register accounts of verified e-mail addresses only, for clients in socialLinkingClientIds',
    )
}
