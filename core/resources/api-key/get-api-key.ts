import { isApiKey } from '../../organization/credential.ts'
import { users } from '../../organization/users.ts'
import { Uuid } from '../../codec/codec.ts'
import { fields } from '../../codec/fields.ts'
import { missing } from '../../definition/refusals.ts'
import { TE } from '../../prelude.ts'
import { query } from '../../definition/query.ts'
import { apiKeyView, ApiKeyView } from './api-key-view.ts'

export const getApiKey = query({
  path: 'get_api_key',
  summary: 'Shows an API key of any user.',
  request: fields({ organizationId: Uuid, apiKeyId: Uuid }),
  answer: fields({ apiKey: ApiKeyView }),
  run: ({ apiKeyId }, { organization }) => {
    for (const user of users.of(organization).values()) {
      const apiKey = user.credentials.get(apiKeyId)
      if (apiKey !== undefined && isApiKey(apiKey)) return TE.right({ apiKey: apiKeyView(apiKey) })
    }
    return TE.left(missing('api key', apiKeyId, organization))
  },
})
