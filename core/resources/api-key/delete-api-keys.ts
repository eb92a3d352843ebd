import { users } from '../../organization/users.ts'
import * as t from 'io-ts'
import { Uuid } from '../../codec/codec.ts'
import type { User } from '../../organization/users.ts'
import { E, pipe } from '../../prelude.ts'
import { fields, SomeUuids } from '../../codec/fields.ts'
import { operation } from '../../definition/operation.ts'
import { find, findAll } from '../../definition/refusals.ts'
import { apiKeysOf, keepsLasting, type ApiKey } from '../../organization/credential.ts'
import { missingCredential } from '../user/new-users.ts'
import { deleteCredential } from './new-api-keys.ts'

export const deleteApiKeys = operation({
  type: 'ACTIVITY_TYPE_DELETE_API_KEYS',
  path: 'delete_api_keys',
  summary: 'Deletes API keys of a user, who must keep one that does not expire.',
  resource: 'CREDENTIAL',
  action: 'DELETE',
  intent: fields({ userId: Uuid, apiKeyIds: SomeUuids }),
  result: fields({ apiKeyIds: t.array(t.string) }),
  change: fields({ userId: t.string, apiKeyIds: t.array(t.string) }),
  paramNames: ['user_id', 'api_key_ids'],
  params: ({ userId, apiKeyIds }) => ({ user_id: userId, api_key_ids: apiKeyIds }),
  isOwnCredentials: ({ userId }, requester) => userId === requester,

  execute: ({ userId, apiKeyIds }, { organization }) =>
    pipe(
      find('user', users.of(organization), userId, organization),
      E.tap((user) => findAll('api key', apiKeysById(user), apiKeyIds, organization)),
      E.filterOrElse(
        (user) => keepsLasting(user, apiKeyIds),
        () => missingCredential(userId),
      ),
      E.map(() => ({ result: { apiKeyIds }, change: { userId, apiKeyIds } })),
    ),

  evolve: (draft, { userId, apiKeyIds }, { atMs }) => {
    const user = users.in(draft).get(userId)
    if (user === undefined) return
    for (const apiKeyId of apiKeyIds) deleteCredential(draft, user, apiKeyId, atMs)
    user.updatedAtMs = atMs
  },
})

const apiKeysById = (user: User): ReadonlyMap<string, ApiKey> =>
  new Map(apiKeysOf(user).map((key) => [key.credentialId, key]))
