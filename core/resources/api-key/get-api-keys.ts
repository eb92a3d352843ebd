import * as t from 'io-ts'
import { apiKeysOf } from '../../organization/credential.ts'
import { users } from '../../organization/users.ts'
import { Uuid } from '../../codec/codec.ts'
import { fields } from '../../codec/fields.ts'
import { find } from '../../definition/refusals.ts'
import { pipe, TE } from '../../prelude.ts'
import { query } from '../../definition/query.ts'
import { apiKeyView, ApiKeyView } from './api-key-view.ts'

/** The user is optional on the wire. Default: the caller. */
export const getApiKeys = query({
  path: 'get_api_keys',
  summary: 'Lists the API keys of a user, or of the caller where none is named.',
  request: fields({ organizationId: Uuid }, { userId: Uuid }),
  answer: fields({ apiKeys: t.readonlyArray(ApiKeyView) }),
  run: ({ userId }, { organization, caller }) =>
    pipe(
      TE.fromEither(find('user', users.of(organization), userId ?? caller, organization)),
      TE.map((user) => ({ apiKeys: apiKeysOf(user).map(apiKeyView) })),
    ),
})
