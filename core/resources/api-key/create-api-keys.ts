import * as t from '../../codec/t.ts'
import { changeUser } from '../user/change-user.ts'
import { removeCredential } from '../../organization/credentials.ts'
import { users } from '../../organization/users.ts'
import { apiKeysOf } from '../../organization/credential.ts'
import { decodes, operation } from '../../definition/operation.ts'
import { apiKeyLimits } from './api-key-limits.ts'
import { ApiKeyParams, ApiKeyParamsV2, toV2 } from './api-key-params.ts'
import { evicted } from './evicted.ts'
import {
  addApiKey,
  admitAfterDeletions,
  admitKeys,
  checkCurves,
  checkKeyCounts,
  checkUniqueKeys,
  keyFields,
  NewApiKey,
  newApiKey,
} from './new-api-keys.ts'

export const createApiKeys = operation({
  type: 'ACTIVITY_TYPE_CREATE_API_KEYS_V2',
  path: 'create_api_keys',
  summary: 'Registers API keys of a user; expiring keys beyond the limit take the place of older ones.',
  resource: 'CREDENTIAL',
  action: 'CREATE',
  intent: t.fields({ apiKeys: t.list(ApiKeyParamsV2), userId: t.Uuid }),
  result: t.fields({ apiKeyIds: t.array(t.string) }),
  change: t.fields({ userId: t.subject(t.string), apiKeys: t.array(NewApiKey), evictedApiKeyIds: t.array(t.string) }),
  versions: [
    {
      type: 'ACTIVITY_TYPE_CREATE_API_KEYS',
      ...decodes(t.fields({ apiKeys: t.list(ApiKeyParams), userId: t.Uuid }), ({ apiKeys, userId }) => ({
        apiKeys: apiKeys.map(toV2),
        userId,
      })),
    },
  ],
  paramNames: ['user_id'],
  params: ({ userId }) => ({ user_id: userId }),
  isOwnCredentials: ({ userId }, requester) => userId === requester,
  subjects: ({ userId }) => [userId],
  credentialsLiveMs: ({ apiKeys }) => apiKeys.reduce((longest, key) => Math.max(longest, liveMs(key)), 0),
  admit: ({ apiKeys, userId }, { organization, atMs }) => {
    admitKeys(apiKeys.length)
    admitAfterDeletions(users.of(organization).get(userId), atMs)
  },

  execute: ({ apiKeys: params, userId }, { organization, ids, atMs, limits, find }) => {
    checkUniqueKeys(organization, keyFields(params), userId)
    const existing = apiKeysOf(find('user', users, userId))
    const apiKeys = params.map((key) => newApiKey(key, ids()))
    checkKeyCounts(existing, apiKeys, limits)
    checkCurves(keyFields(params))
    const evictedApiKeyIds = evicted(existing, apiKeys, apiKeyLimits.of({ limits }).expiringApiKeys, atMs)
    return {
      result: { apiKeyIds: apiKeys.map(({ apiKeyId }) => apiKeyId) },
      change: { userId, apiKeys, evictedApiKeyIds },
    }
  },

  evolve: (draft, { userId, apiKeys, evictedApiKeyIds }, { atMs }) =>
    changeUser(draft, userId, atMs, (user) => {
      for (const apiKeyId of evictedApiKeyIds) removeCredential(draft, user, apiKeyId)
      for (const key of apiKeys) addApiKey(draft, user, key, atMs)
    }),
})

const liveMs = ({ expirationSeconds }: ApiKeyParamsV2): number =>
  expirationSeconds === undefined ? Infinity : Number(expirationSeconds) * 1000
