import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { refuse } from '../../definition/refuse.ts'
import { apiKeysOf } from '../../organization/credential.ts'
import { users } from '../../organization/users.ts'
import { deleteCredential } from '../api-key/new-api-keys.ts'
import { AuthenticatorParamsV2 } from '../authenticator/authenticator-params.ts'
import {
  addAuthenticator,
  admitAuthenticators,
  attestedIn,
  checkAttested,
  checkAuthenticatorCount,
  needsAttestations,
  NewAuthenticator,
  newAuthenticator,
} from '../authenticator/new-authenticators.ts'
import { changeUser } from '../user/change-user.ts'

const fieldIn = ({ authenticator }: { readonly authenticator: AuthenticatorParamsV2 }) => [
  { field: 'authenticator', params: authenticator },
]

export const recoverUser = operation({
  type: 'ACTIVITY_TYPE_RECOVER_USER',
  path: 'recover_user',
  summary: 'Registers a passkey of the caller, who has lost the others, and ends the key that was mailed.',
  resource: 'CREDENTIAL',
  action: 'CREATE',
  intent: t.fields({ authenticator: AuthenticatorParamsV2, userId: t.Uuid }),
  result: t.fields({ authenticatorId: t.array(t.string) }),
  change: t.fields({
    userId: t.subject(t.string),
    authenticator: NewAuthenticator,
    deletedApiKeyIds: t.array(t.string),
  }),
  paramNames: ['user_id'],
  params: ({ userId }) => ({ user_id: userId }),
  isOwnCredentials: ({ userId }, requester) => userId === requester,
  subjects: ({ userId }) => [userId],
  credentialsLiveMs: () => Infinity,
  admit: (intent) => admitAuthenticators(fieldIn(intent)),

  inspectNeeds: needsAttestations,
  inspect: (intent, { ports }) => attestedIn(ports.attestations, fieldIn(intent)),

  execute: ({ userId }, { organization, requester, ids, limits, inspected, find }) => {
    if (userId !== requester) throw refuse('REQUEST_NOT_AUTHORIZED', 'request not authorized: a user recovers themself')
    const user = find('user', users, userId)
    checkAuthenticatorCount(user, 1, limits)
    checkAttested(organization, inspected, userId)
    const [authenticator] = inspected.map((checked) => newAuthenticator(checked, ids()))
    if (authenticator === undefined) throw refuse('INTERNAL', 'a passkey was not inspected')
    const deletedApiKeyIds = apiKeysOf(user)
      .filter(({ issued }) => issued === 'RECOVER_USER_KEY_P256')
      .map(({ credentialId }) => credentialId)
    return {
      result: { authenticatorId: [authenticator.authenticatorId] },
      change: { userId, authenticator, deletedApiKeyIds },
    }
  },

  evolve: (draft, { userId, authenticator, deletedApiKeyIds }, { atMs }) =>
    changeUser(draft, userId, atMs, (user) => {
      for (const apiKeyId of deletedApiKeyIds) deleteCredential(draft, user, apiKeyId, atMs)
      addAuthenticator(draft, user, authenticator, atMs)
    }),
})
