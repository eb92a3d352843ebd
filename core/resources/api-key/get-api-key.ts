import * as t from '../../codec/t.ts'
import { isApiKey } from '../../organization/credential.ts'
import { users } from '../../organization/users.ts'
import { refuse } from '../../definition/refuse.ts'
import { query } from '../../definition/query.ts'
import { apiKeyView, ApiKeyView } from './api-key-view.ts'

export const getApiKey = query({
  path: 'get_api_key',
  summary: 'Shows an API key of any user.',
  request: t.fields({ organizationId: t.Uuid, apiKeyId: t.Uuid }),
  answer: t.fields({ apiKey: ApiKeyView }),
  run: ({ apiKeyId }, { organization }) => {
    for (const user of users.of(organization).values()) {
      const apiKey = user.credentials.get(apiKeyId)
      if (apiKey !== undefined && isApiKey(apiKey)) return { apiKey: apiKeyView(apiKey) }
    }
    throw refuse.notFound('api key', apiKeyId, organization)
  },
})
