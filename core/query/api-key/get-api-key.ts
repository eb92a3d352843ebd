import { Uuid } from '../../codec.ts'
import { fields } from '../../operations/fields.ts'
import { missing } from '../../operations/refusals.ts'
import { TE } from '../../prelude.ts'
import { query } from '../query.ts'
import { apiKeyView } from './api-key-view.ts'

export const getApiKey = query({
  path: 'get_api_key',
  summary: 'Shows an API key of any user.',
  request: fields({ organizationId: Uuid, apiKeyId: Uuid }),
  answers: ['apiKey'],
  answer: ({ apiKeyId }, { organization }) => {
    for (const user of organization.users.values()) {
      const apiKey = user.apiKeys.get(apiKeyId)
      if (apiKey !== undefined) return TE.right({ apiKey: apiKeyView(apiKey) })
    }
    return TE.left(missing('api key', apiKeyId, organization))
  },
})
