import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { removeCredential } from '../../organization/credentials.ts'
import { deletedUsers } from '../../organization/deleted-users.ts'
import { rememberName } from '../../organization/former-users.ts'
import { quorum } from '../../organization/quorum.ts'
import { users } from '../../organization/users.ts'
import { deletes } from '../deletes.ts'
import { quorumUsersMissing } from '../quorum/quorum-rules.ts'

const Deleted = t.fields({ userIds: t.array(t.string) })
const deleted = deletes('user', users, ({ userIds }: t.TypeOf<typeof Deleted>) => userIds)

export const deleteUsers = operation({
  type: 'ACTIVITY_TYPE_DELETE_USERS',
  path: 'delete_users',
  summary: 'Deletes users and their credentials; members of the root quorum must leave it first.',
  resource: 'USER',
  action: 'DELETE',
  intent: t.fields({ userIds: t.SomeUuids }),
  result: Deleted,
  change: Deleted,
  paramNames: ['user_ids'],
  params: ({ userIds }) => ({ user_ids: userIds }),

  execute: (intent, context) => {
    const members = quorum.of(context.organization).userIds
    const executed = deleted.execute(intent, context)
    if (intent.userIds.some((userId) => members.includes(userId))) throw quorumUsersMissing()
    return executed
  },

  evolve: (draft, change, { sequence }) => {
    for (const userId of change.userIds) {
      const user = users.in(draft).get(userId)
      if (user === undefined) continue
      rememberName(draft, userId, user.userName)
      deletedUsers.in(draft).set(userId, { sequence: String(sequence), isErased: false })
      for (const credentialId of [...user.credentials.keys()]) removeCredential(draft, user, credentialId)
    }
    deleted.evolve(draft, change)
  },
})
