import * as t from 'io-ts'
import { E, pipe } from '../../prelude.ts'
import { fields, SomeIds } from '../fields.ts'
import { operation } from '../operation.ts'
import { quorumUsersMissing } from '../quorum/quorum-rules.ts'
import { findAll } from '../refusals.ts'

export const deleteUsers = operation({
  type: 'ACTIVITY_TYPE_DELETE_USERS',
  path: 'delete_users',
  summary: 'Deletes users and their credentials; members of the root quorum must leave it first.',
  resource: 'USER',
  action: 'DELETE',
  intent: fields({ userIds: SomeIds }),
  result: fields({ userIds: t.array(t.string) }),
  change: fields({ userIds: t.array(t.string) }),
  params: ({ userIds }) => ({ user_ids: userIds }),

  execute: ({ userIds }, { organization }) =>
    pipe(
      findAll('user', organization.users, userIds, organization),
      E.filterOrElse(
        () => !userIds.some((userId) => organization.quorum.userIds.includes(userId)),
        () => quorumUsersMissing,
      ),
      E.map(() => ({ result: { userIds }, change: { userIds } })),
    ),

  evolve: (draft, { userIds }) => {
    for (const userId of userIds) {
      const user = draft.users.get(userId)
      if (user === undefined) continue
      for (const { publicKey } of user.apiKeys.values()) draft.credentials.delete(publicKey)
      draft.users.delete(userId)
    }
  },
})
