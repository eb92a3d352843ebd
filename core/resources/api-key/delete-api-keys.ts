import * as t from '../../codec/t.ts'
import { changeUser } from '../user/change-user.ts'
import { users, type User } from '../../organization/users.ts'
import { operation } from '../../definition/operation.ts'
import { apiKeysOf, keepsLasting, type ApiKey } from '../../organization/credential.ts'
import { missingCredential } from '../user/new-users.ts'
import { deleteCredential } from './new-api-keys.ts'

export const deleteApiKeys = operation({
  type: 'ACTIVITY_TYPE_DELETE_API_KEYS',
  path: 'delete_api_keys',
  summary: 'Deletes API keys of a user, who must keep one that does not expire.',
  resource: 'CREDENTIAL',
  action: 'DELETE',
  intent: t.fields({ userId: t.Uuid, apiKeyIds: t.SomeUuids }),
  result: t.fields({ apiKeyIds: t.array(t.string) }),
  change: t.fields({ userId: t.string, apiKeyIds: t.array(t.string) }),
  paramNames: ['user_id', 'api_key_ids'],
  params: ({ userId, apiKeyIds }) => ({ user_id: userId, api_key_ids: apiKeyIds }),
  isOwnCredentials: ({ userId }, requester) => userId === requester,

  execute: ({ userId, apiKeyIds }, { find, findAll }) => {
    const user = find('user', users, userId)
    findAll('api key', apiKeysById(user), apiKeyIds)
    if (!keepsLasting(user, apiKeyIds)) throw missingCredential(userId)
    return { result: { apiKeyIds }, change: { userId, apiKeyIds } }
  },

  evolve: (draft, { userId, apiKeyIds }, { atMs }) =>
    changeUser(draft, userId, atMs, (user) => {
      for (const apiKeyId of apiKeyIds) deleteCredential(draft, user, apiKeyId, atMs)
    }),
})

const apiKeysById = (user: User): ReadonlyMap<string, ApiKey> =>
  new Map(apiKeysOf(user).map((key) => [key.credentialId, key]))
