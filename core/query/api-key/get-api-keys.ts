import { Uuid } from '../../codec.ts'
import { fields } from '../../operations/fields.ts'
import { find } from '../../operations/refusals.ts'
import { pipe, TE } from '../../prelude.ts'
import { query } from '../query.ts'
import { apiKeyView } from './api-key-view.ts'

/** The wire calls the answer "API keys for a user" and the user optional: the one who asks, then. */
export const getApiKeys = query({
  path: 'get_api_keys',
  summary: 'Lists the API keys of a user, or of the caller where none is named.',
  request: fields({ organizationId: Uuid }, { userId: Uuid }),
  answers: ['apiKeys'],
  answer: ({ userId }, { organization, caller }) =>
    pipe(
      TE.fromEither(find('user', organization.users, userId ?? caller, organization)),
      TE.map((user) => ({ apiKeys: [...user.apiKeys.values()].map(apiKeyView) })),
    ),
})
