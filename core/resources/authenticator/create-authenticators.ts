import * as t from '../../codec/t.ts'
import { changeUser } from '../user/change-user.ts'
import { decodes, operation } from '../../definition/operation.ts'
import { refuse } from '../../definition/refuse.ts'
import { users } from '../../organization/users.ts'
import { admitAfterDeletions } from '../api-key/new-api-keys.ts'
import { AuthenticatorParams, AuthenticatorParamsV2, toV2 } from './authenticator-params.ts'
import {
  addAuthenticator,
  admitAuthenticators,
  attestedIn,
  authenticatorFields,
  checkAttested,
  checkAuthenticatorCount,
  NewAuthenticator,
  newAuthenticator,
  needsAttestations,
} from './new-authenticators.ts'

export const createAuthenticators = operation({
  type: 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2',
  path: 'create_authenticators',
  summary: 'Registers passkeys of a user.',
  resource: 'CREDENTIAL',
  action: 'CREATE',
  intent: t.fields({ authenticators: t.list(AuthenticatorParamsV2), userId: t.Uuid }),
  result: t.fields({ authenticatorIds: t.array(t.string) }),
  change: t.fields({ userId: t.subject(t.string), authenticators: t.array(NewAuthenticator) }),
  versions: [
    {
      type: 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS',
      ...decodes(
        t.fields({ authenticators: t.list(AuthenticatorParams), userId: t.Uuid }),
        ({ authenticators, userId }) => {
          if (!authenticators.every((one) => one.userId === userId))
            throw refuse('REQUEST_INVALID', 'invalid parameters at authenticators: expected the userId of the request')
          return { authenticators: authenticators.map(toV2), userId }
        },
      ),
    },
  ],
  paramNames: ['user_id'],
  params: ({ userId }) => ({ user_id: userId }),
  isOwnCredentials: ({ userId }, requester) => userId === requester,
  subjects: ({ userId }) => [userId],
  credentialsLiveMs: () => Infinity,
  admit: ({ authenticators, userId }, { organization, atMs }) => {
    admitAuthenticators(authenticatorFields(authenticators))
    admitAfterDeletions(users.of(organization).get(userId), atMs)
  },

  inspectNeeds: needsAttestations,
  inspect: ({ authenticators }, { ports }) => attestedIn(ports.attestations, authenticatorFields(authenticators)),

  execute: ({ authenticators, userId }, { organization, ids, limits, inspected, find }) => {
    checkAuthenticatorCount(find('user', users, userId), authenticators.length, limits)
    checkAttested(organization, inspected, userId)
    const added = inspected.map((checked) => newAuthenticator(checked, ids()))
    return {
      result: { authenticatorIds: added.map(({ authenticatorId }) => authenticatorId) },
      change: { userId, authenticators: added },
    }
  },

  evolve: (draft, { userId, authenticators }, { atMs }) =>
    changeUser(draft, userId, atMs, (user) => {
      for (const added of authenticators) addAuthenticator(draft, user, added, atMs)
    }),
})
