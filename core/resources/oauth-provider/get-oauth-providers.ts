import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { users } from '../../organization/users.ts'
import { oauthProviderView, OauthProviderView } from './oauth-provider-view.ts'

/** The user is optional on the wire. Default: the caller. */
export const getOauthProviders = query({
  path: 'get_oauth_providers',
  summary: 'Lists the accounts of a user at identity providers, or those of the caller where no user is named.',
  request: t.fields({ organizationId: t.Uuid }, { userId: t.Uuid }),
  answer: t.fields({ oauthProviders: t.readonlyArray(OauthProviderView) }),
  run: ({ userId }, { organization, home, caller, find }) => {
    const user = find('user', users.of(userId === undefined ? home : organization), userId ?? caller)
    return { oauthProviders: [...user.oauthProviders.values()].map(oauthProviderView) }
  },
})
