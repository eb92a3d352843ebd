import { createApiKeys } from '../../../../core/resources/api-key/create-api-keys.ts'
import { deleteApiKeys } from '../../../../core/resources/api-key/delete-api-keys.ts'
import { getApiKey } from '../../../../core/resources/api-key/get-api-key.ts'
import { getApiKeys } from '../../../../core/resources/api-key/get-api-keys.ts'
import { asking, AUDITED, example, NOBODY, PERSONAL } from '../example.ts'
import { anyKey, lastingKey, shortKey } from './any-key.ts'

export const examples = [
  example(createApiKeys, {
    valid: (scene) => ({ userId: scene.user, apiKeys: [lastingKey(scene), shortKey(scene)] }),
    older: {
      ACTIVITY_TYPE_CREATE_API_KEYS: (scene) => ({
        userId: scene.user,
        apiKeys: [{ ...anyKey(scene), expirationSeconds: '900' }],
      }),
    },
    refused: [(scene) => ({ userId: NOBODY, apiKeys: [lastingKey(scene)] }), 'RESOURCE_NOT_FOUND'],
  }),
  example(deleteApiKeys, {
    valid: async ({ made, user: userId }) => ({ userId, apiKeyIds: (await made(createApiKeys)).apiKeyIds }),
    refused: [({ user: userId }) => ({ userId, apiKeyIds: [NOBODY] }), 'RESOURCE_NOT_FOUND'],
  }),
  asking(
    getApiKey,
    async ({ made }) => {
      const [apiKeyId] = (await made(createApiKeys)).apiKeyIds
      return { request: { apiKeyId }, shows: { apiKey: { apiKeyId } } }
    },
    { refused: [{ apiKeyId: NOBODY }, 'RESOURCE_NOT_FOUND'] },
  ),
  asking(
    getApiKeys,
    async ({ made, user: userId }) => {
      const [apiKeyId] = (await made(createApiKeys)).apiKeyIds
      return { request: { userId }, shows: { apiKeys: [{ apiKeyId }] } }
    },
    { refused: [{ userId: NOBODY }, 'RESOURCE_NOT_FOUND'] },
  ),
]

export const texts = { apiKeyName: PERSONAL, publicKey: AUDITED, curve: AUDITED }
