import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { passkeysOf } from '../../organization/credential.ts'
import { users } from '../../organization/users.ts'
import { authenticatorView, AuthenticatorView } from './authenticator-view.ts'

export const getAuthenticators = query({
  path: 'get_authenticators',
  summary: 'Lists the passkeys of a user.',
  request: t.fields({ organizationId: t.Uuid, userId: t.Uuid }),
  answer: t.fields({ authenticators: t.readonlyArray(AuthenticatorView) }),
  run: ({ userId }, { find }) => ({
    authenticators: passkeysOf(find('user', users, userId)).map(authenticatorView),
  }),
})
