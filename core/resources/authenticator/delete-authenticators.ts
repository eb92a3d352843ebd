import * as t from '../../codec/t.ts'
import { changeUser } from '../user/change-user.ts'
import { operation } from '../../definition/operation.ts'
import { keepsLasting, passkeysOf } from '../../organization/credential.ts'
import { users } from '../../organization/users.ts'
import { deleteCredential } from '../api-key/new-api-keys.ts'
import { missingCredential } from '../user/new-users.ts'

export const deleteAuthenticators = operation({
  type: 'ACTIVITY_TYPE_DELETE_AUTHENTICATORS',
  path: 'delete_authenticators',
  summary: 'Deletes passkeys of a user, who must keep a credential that does not expire.',
  resource: 'CREDENTIAL',
  action: 'DELETE',
  intent: t.fields({ userId: t.Uuid, authenticatorIds: t.SomeUuids }),
  result: t.fields({ authenticatorIds: t.array(t.string) }),
  change: t.fields({ userId: t.string, authenticatorIds: t.array(t.string) }),
  paramNames: ['user_id', 'authenticator_ids'],
  params: ({ userId, authenticatorIds }) => ({ user_id: userId, authenticator_ids: authenticatorIds }),
  isOwnCredentials: ({ userId }, requester) => userId === requester,

  execute: ({ userId, authenticatorIds }, { find, findAll }) => {
    const user = find('user', users, userId)
    findAll('authenticator', new Map(passkeysOf(user).map((one) => [one.credentialId, one])), authenticatorIds)
    if (!keepsLasting(user, authenticatorIds)) throw missingCredential(userId)
    return { result: { authenticatorIds }, change: { userId, authenticatorIds } }
  },

  evolve: (draft, { userId, authenticatorIds }, { atMs }) =>
    changeUser(draft, userId, atMs, (user) => {
      for (const authenticatorId of authenticatorIds) deleteCredential(draft, user, authenticatorId, atMs)
    }),
})
