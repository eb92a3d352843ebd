import * as t from 'io-ts'
import { Uuid } from '../../codec/codec.ts'
import { fields } from '../../codec/fields.ts'
import { query } from '../../definition/query.ts'
import { find } from '../../definition/refusals.ts'
import { passkeysOf } from '../../organization/credential.ts'
import { users } from '../../organization/users.ts'
import { pipe, TE } from '../../prelude.ts'
import { authenticatorView, AuthenticatorView } from './authenticator-view.ts'

export const getAuthenticators = query({
  path: 'get_authenticators',
  summary: 'Lists the passkeys of a user.',
  request: fields({ organizationId: Uuid, userId: Uuid }),
  answer: fields({ authenticators: t.readonlyArray(AuthenticatorView) }),
  run: ({ userId }, { organization }) =>
    pipe(
      TE.fromEither(find('user', users.of(organization), userId, organization)),
      TE.map((user) => ({ authenticators: passkeysOf(user).map(authenticatorView) })),
    ),
})
