import * as t from 'io-ts'
import { Uuid } from '../../codec/codec.ts'
import { fields, SomeUuids } from '../../codec/fields.ts'
import { operation } from '../../definition/operation.ts'
import { find, findAll } from '../../definition/refusals.ts'
import { keepsLasting, passkeysOf } from '../../organization/credential.ts'
import { users } from '../../organization/users.ts'
import { E, pipe } from '../../prelude.ts'
import { deleteCredential } from '../api-key/new-api-keys.ts'
import { missingCredential } from '../user/new-users.ts'

export const deleteAuthenticators = operation({
  type: 'ACTIVITY_TYPE_DELETE_AUTHENTICATORS',
  path: 'delete_authenticators',
  summary: 'Deletes passkeys of a user, who must keep a credential that does not expire.',
  resource: 'CREDENTIAL',
  action: 'DELETE',
  intent: fields({ userId: Uuid, authenticatorIds: SomeUuids }),
  result: fields({ authenticatorIds: t.array(t.string) }),
  change: fields({ userId: t.string, authenticatorIds: t.array(t.string) }),
  paramNames: ['user_id', 'authenticator_ids'],
  params: ({ userId, authenticatorIds }) => ({ user_id: userId, authenticator_ids: authenticatorIds }),
  isOwnCredentials: ({ userId }, requester) => userId === requester,

  execute: ({ userId, authenticatorIds }, { organization }) =>
    pipe(
      find('user', users.of(organization), userId, organization),
      E.tap((user) => {
        const passkeys = new Map(passkeysOf(user).map((passkey) => [passkey.credentialId, passkey]))
        return findAll('authenticator', passkeys, authenticatorIds, organization)
      }),
      E.filterOrElse(
        (user) => keepsLasting(user, authenticatorIds),
        () => missingCredential(userId),
      ),
      E.map(() => ({ result: { authenticatorIds }, change: { userId, authenticatorIds } })),
    ),

  evolve: (draft, { userId, authenticatorIds }, { atMs }) => {
    const user = users.in(draft).get(userId)
    if (user === undefined) return
    for (const authenticatorId of authenticatorIds) deleteCredential(draft, user, authenticatorId, atMs)
    user.updatedAtMs = atMs
  },
})
