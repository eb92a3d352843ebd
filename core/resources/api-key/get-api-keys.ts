import * as t from '../../codec/t.ts'
import { apiKeysOf } from '../../organization/credential.ts'
import { users } from '../../organization/users.ts'
import { query } from '../../definition/query.ts'
import { apiKeyView, ApiKeyView } from './api-key-view.ts'

/** The user is optional on the wire. Default: the caller. */
export const getApiKeys = query({
  path: 'get_api_keys',
  summary: 'Lists the API keys of a user, or of the caller where none is named.',
  request: t.fields({ organizationId: t.Uuid }, { userId: t.Uuid }),
  answer: t.fields({ apiKeys: t.readonlyArray(ApiKeyView) }),
  run: ({ userId }, { organization, home, caller, find }) => ({
    apiKeys: apiKeysOf(find('user', users.of(userId === undefined ? home : organization), userId ?? caller)).map(
      apiKeyView,
    ),
  }),
})
