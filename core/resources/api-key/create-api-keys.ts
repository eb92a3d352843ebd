import { removeCredential } from '../../organization/credentials.ts'
import { users } from '../../organization/users.ts'
import * as t from 'io-ts'
import { Uuid } from '../../codec/codec.ts'
import { apiKeysOf, isExpired } from '../../organization/credential.ts'
import type { ApiKey } from '../../organization/credential.ts'
import { E, pipe } from '../../prelude.ts'
import { fields, list } from '../../codec/fields.ts'
import { subject } from '../../codec/personal.ts'
import { decodes, operation } from '../../definition/operation.ts'
import { find } from '../../definition/refusals.ts'
import { apiKeyLimits } from './api-key-limits.ts'
import { ApiKeyParams, ApiKeyParamsV2, toV2 } from './api-key-params.ts'
import {
  addApiKey,
  admitAfterDeletions,
  admitKeys,
  checkCurves,
  checkKeyCounts,
  checkUniqueKeys,
  isLongLived,
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
  intent: fields({ apiKeys: list(ApiKeyParamsV2), userId: Uuid }),
  result: fields({ apiKeyIds: t.array(t.string) }),
  change: fields({ userId: subject(t.string), apiKeys: t.array(NewApiKey), evictedApiKeyIds: t.array(t.string) }),
  versions: [
    {
      type: 'ACTIVITY_TYPE_CREATE_API_KEYS',
      ...decodes(fields({ apiKeys: list(ApiKeyParams), userId: Uuid }), ({ apiKeys, userId }) =>
        E.right({ apiKeys: apiKeys.map(toV2), userId }),
      ),
    },
  ],
  paramNames: ['user_id'],
  params: ({ userId }) => ({ user_id: userId }),
  isOwnCredentials: ({ userId }, requester) => userId === requester,
  subjects: ({ userId }) => [userId],
  credentialsLiveMs: ({ apiKeys }) => apiKeys.reduce((longest, key) => Math.max(longest, liveMs(key)), 0),
  admit: ({ apiKeys, userId }, { organization, atMs }) =>
    E.flatMap(() => admitAfterDeletions(users.of(organization).get(userId), atMs))(admitKeys(apiKeys.length)),

  execute: ({ apiKeys: params, userId }, { organization, ids, atMs, limits }) =>
    pipe(
      checkUniqueKeys(organization, keyFields(params), userId),
      E.flatMap(() => find('user', users.of(organization), userId, organization)),
      E.map((user) => ({
        existing: apiKeysOf(user),
        apiKeys: params.map((key) => newApiKey(key, ids())),
      })),
      E.tap(({ existing, apiKeys }) => checkKeyCounts(existing, apiKeys, limits)),
      E.tap(() => checkCurves(keyFields(params))),
      E.map(({ existing, apiKeys }) => ({
        result: { apiKeyIds: apiKeys.map(({ apiKeyId }) => apiKeyId) },
        change: {
          userId,
          apiKeys,
          evictedApiKeyIds: evicted(existing, apiKeys, apiKeyLimits.of({ limits }).expiringApiKeys, atMs),
        },
      })),
    ),

  evolve: (draft, { userId, apiKeys, evictedApiKeyIds }, { atMs }) => {
    const user = users.in(draft).get(userId)
    if (user === undefined) return
    for (const apiKeyId of evictedApiKeyIds) removeCredential(draft, user, apiKeyId)
    for (const key of apiKeys) addApiKey(draft, user, key, atMs)
    user.updatedAtMs = atMs
  },
})

const liveMs = ({ expirationSeconds }: ApiKeyParamsV2): number =>
  expirationSeconds === undefined ? Infinity : Number(expirationSeconds) * 1000

/** The keys that make room for new ones: expired keys first, then the oldest. */
const evicted = (
  existing: readonly ApiKey[],
  added: readonly NewApiKey[],
  expiringMax: number,
  atMs: number,
): string[] => {
  const entering = added.filter((key) => !isLongLived(key)).length
  if (entering === 0) return []
  const expiring = existing.filter((key) => !isLongLived(key)) // in order of creation
  const leaving = Math.max(0, expiring.length + entering - expiringMax)
  const [expired, alive] = [
    expiring.filter((key) => isExpired(key, atMs)),
    expiring.filter((key) => !isExpired(key, atMs)),
  ]
  return [...expired, ...alive].slice(0, leaving).map(({ credentialId }) => credentialId)
}
