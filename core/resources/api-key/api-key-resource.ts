import { resource } from '../../definition/resource.ts'
import { credentials } from '../../organization/credentials.ts'
import { formerCredentials } from '../../organization/former-credentials.ts'
import { apiKeyLimits } from './api-key-limits.ts'
import { createApiKeys } from './create-api-keys.ts'
import { deleteApiKeys } from './delete-api-keys.ts'
import { getApiKey } from './get-api-key.ts'
import { getApiKeys } from './get-api-keys.ts'

export { createApiKeys, deleteApiKeys, getApiKey, getApiKeys }

export const apiKeyResource = resource({
  name: 'api-keys',
  states: [credentials, formerCredentials],
  limits: apiKeyLimits,
  operations: [createApiKeys, deleteApiKeys],
  queries: [getApiKey, getApiKeys],
})
