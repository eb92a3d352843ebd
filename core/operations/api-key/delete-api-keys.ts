import * as t from 'io-ts'
import { Uuid } from '../../codec.ts'
import type { User } from '../../organization/organization.ts'
import { E, pipe } from '../../prelude.ts'
import { fields, SomeIds } from '../fields.ts'
import { operation } from '../operation.ts'
import { find, findAll } from '../refusals.ts'
import { missingCredential } from '../user/new-users.ts'
import { deleteApiKey, isLongLived } from './new-api-keys.ts'

export const deleteApiKeys = operation({
  type: 'ACTIVITY_TYPE_DELETE_API_KEYS',
  path: 'delete_api_keys',
  summary: 'Deletes API keys of a user, who must keep one that does not expire.',
  resource: 'CREDENTIAL',
  action: 'DELETE',
  intent: fields({ userId: Uuid, apiKeyIds: SomeIds }),
  result: fields({ apiKeyIds: t.array(t.string) }),
  change: fields({ userId: t.string, apiKeyIds: t.array(t.string) }),
  params: ({ userId, apiKeyIds }) => ({ user_id: userId, api_key_ids: apiKeyIds }),
  isOwnCredentials: ({ userId }, requester) => userId === requester,

  execute: ({ userId, apiKeyIds }, { organization }) =>
    pipe(
      find('user', organization.users, userId, organization),
      E.tap((user) => findAll('api key', user.apiKeys, apiKeyIds, organization)),
      E.filterOrElse(
        (user) => keepsLongLived(user, apiKeyIds),
        () => missingCredential(userId),
      ),
      E.map(() => ({ result: { apiKeyIds }, change: { userId, apiKeyIds } })),
    ),

  evolve: (draft, { userId, apiKeyIds }, { atMs }) => {
    const user = draft.users.get(userId)
    if (user === undefined) return
    for (const apiKeyId of apiKeyIds) deleteApiKey(draft, user, apiKeyId, atMs)
    user.updatedAtMs = atMs
  },
})

const keepsLongLived = (user: User, without: readonly string[]): boolean =>
  [...user.apiKeys.values()].some((key) => isLongLived(key) && !without.includes(key.apiKeyId))
