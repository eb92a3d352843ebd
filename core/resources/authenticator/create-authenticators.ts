import * as t from 'io-ts'
import { Uuid } from '../../codec/codec.ts'
import { fields, list } from '../../codec/fields.ts'
import { subject } from '../../codec/personal.ts'
import { decodes, operation } from '../../definition/operation.ts'
import { find } from '../../definition/refusals.ts'
import { failure } from '../../failure.ts'
import { users } from '../../organization/users.ts'
import { E, pipe } from '../../prelude.ts'
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
} from './new-authenticators.ts'

export const createAuthenticators = operation({
  type: 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2',
  path: 'create_authenticators',
  summary: 'Registers passkeys of a user.',
  resource: 'CREDENTIAL',
  action: 'CREATE',
  intent: fields({ authenticators: list(AuthenticatorParamsV2), userId: Uuid }),
  result: fields({ authenticatorIds: t.array(t.string) }),
  change: fields({ userId: subject(t.string), authenticators: t.array(NewAuthenticator) }),
  versions: [
    {
      type: 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS',
      ...decodes(fields({ authenticators: list(AuthenticatorParams), userId: Uuid }), ({ authenticators, userId }) =>
        authenticators.every((one) => one.userId === userId)
          ? E.right({ authenticators: authenticators.map(toV2), userId })
          : E.left(
              failure('REQUEST_INVALID', 'invalid parameters at authenticators: expected the userId of the request'),
            ),
      ),
    },
  ],
  paramNames: ['user_id'],
  params: ({ userId }) => ({ user_id: userId }),
  isOwnCredentials: ({ userId }, requester) => userId === requester,
  subjects: ({ userId }) => [userId],
  credentialsLiveMs: () => Infinity,
  admit: ({ authenticators, userId }, { organization, atMs }) =>
    E.flatMap(() => admitAfterDeletions(users.of(organization).get(userId), atMs))(
      admitAuthenticators(authenticatorFields(authenticators)),
    ),

  inspect: ({ authenticators }, { attestations }) => attestedIn(attestations, authenticatorFields(authenticators)),

  execute: ({ authenticators, userId }, { organization, ids, limits, inspected }) =>
    pipe(
      find('user', users.of(organization), userId, organization),
      E.tap((user) => checkAuthenticatorCount(user, authenticators.length, limits)),
      E.tap(() => checkAttested(organization, inspected, userId)),
      E.map(() => inspected.map((checked) => newAuthenticator(checked, ids()))),
      E.map((added) => ({
        result: { authenticatorIds: added.map(({ authenticatorId }) => authenticatorId) },
        change: { userId, authenticators: added },
      })),
    ),

  evolve: (draft, { userId, authenticators }, { atMs }) => {
    const user = users.in(draft).get(userId)
    if (user === undefined) return
    for (const added of authenticators) addAuthenticator(draft, user, added, atMs)
    user.updatedAtMs = atMs
  },
})
