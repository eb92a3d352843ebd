import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { keepsLasting } from '../../organization/credential.ts'
import { users } from '../../organization/users.ts'
import { deleteCredential } from '../api-key/new-api-keys.ts'
import { changeUser } from '../user/change-user.ts'
import { missingCredential } from '../user/new-users.ts'

export const deleteOauthProviders = operation({
  type: 'ACTIVITY_TYPE_DELETE_OAUTH_PROVIDERS',
  path: 'delete_oauth_providers',
  summary: 'Deletes accounts of a user at identity providers; the user must keep a credential that does not expire.',
  resource: 'CREDENTIAL',
  action: 'DELETE',
  intent: t.fields({ userId: t.Uuid, providerIds: t.SomeUuids }),
  result: t.fields({ providerIds: t.array(t.string) }),
  change: t.fields({ userId: t.string, providerIds: t.array(t.string) }),
  paramNames: ['user_id', 'provider_ids'],
  params: ({ userId, providerIds }) => ({ user_id: userId, provider_ids: providerIds }),
  isOwnCredentials: ({ userId }, requester) => userId === requester,

  execute: ({ userId, providerIds }, { find, findAll }) => {
    const user = find('user', users, userId)
    findAll('oauth provider', user.oauthProviders, providerIds)
    if (!keepsLasting(user, providerIds)) throw missingCredential(userId)
    return { result: { providerIds }, change: { userId, providerIds } }
  },

  evolve: (draft, { userId, providerIds }, { atMs }) =>
    changeUser(draft, userId, atMs, (user) => {
      for (const providerId of providerIds) {
        user.oauthProviders.delete(providerId)
        deleteCredential(draft, user, providerId, atMs)
      }
    }),
})
