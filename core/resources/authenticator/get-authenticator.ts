import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { refuse } from '../../definition/refuse.ts'
import { isPasskey } from '../../organization/credential.ts'
import { users } from '../../organization/users.ts'
import { authenticatorView, AuthenticatorView } from './authenticator-view.ts'

export const getAuthenticator = query({
  path: 'get_authenticator',
  summary: 'Shows a passkey of any user.',
  request: t.fields({ organizationId: t.Uuid, authenticatorId: t.Uuid }),
  answer: t.fields({ authenticator: AuthenticatorView }),
  run: ({ authenticatorId }, { organization }) => {
    for (const user of users.of(organization).values()) {
      const passkey = user.credentials.get(authenticatorId)
      if (passkey !== undefined && isPasskey(passkey)) return { authenticator: authenticatorView(passkey) }
    }
    throw refuse.notFound('authenticator', authenticatorId, organization)
  },
})
