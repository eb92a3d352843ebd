import { Uuid } from '../../codec/codec.ts'
import { fields } from '../../codec/fields.ts'
import { query } from '../../definition/query.ts'
import { missing } from '../../definition/refusals.ts'
import { isPasskey } from '../../organization/credential.ts'
import { users } from '../../organization/users.ts'
import { TE } from '../../prelude.ts'
import { authenticatorView, AuthenticatorView } from './authenticator-view.ts'

export const getAuthenticator = query({
  path: 'get_authenticator',
  summary: 'Shows a passkey of any user.',
  request: fields({ organizationId: Uuid, authenticatorId: Uuid }),
  answer: fields({ authenticator: AuthenticatorView }),
  run: ({ authenticatorId }, { organization }) => {
    for (const user of users.of(organization).values()) {
      const passkey = user.credentials.get(authenticatorId)
      if (passkey !== undefined && isPasskey(passkey)) return TE.right({ authenticator: authenticatorView(passkey) })
    }
    return TE.left(missing('authenticator', authenticatorId, organization))
  },
})
