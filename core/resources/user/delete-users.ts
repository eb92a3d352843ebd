import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { providerIdsOf } from '../../organization/oauth-providers.ts'
import { quorum } from '../../organization/quorum.ts'
import { users } from '../../organization/users.ts'
import { deletes } from '../deletes.ts'
import { quorumUsersMissing } from '../quorum/quorum-rules.ts'
import { removeUser } from './remove-user.ts'

const Deleted = t.fields({ userIds: t.array(t.string) })
/** With the providers that go with the users: who keeps something of a provider by its id is told so. */
const DeletedWith = t.fields({ userIds: t.array(t.string) }, { providerIds: t.array(t.string) })
const deleted = deletes('user', users, ({ userIds }: t.TypeOf<typeof Deleted>) => userIds)

export const deleteUsers = operation({
  type: 'ACTIVITY_TYPE_DELETE_USERS',
  path: 'delete_users',
  summary: 'Deletes users and their credentials; members of the root quorum must leave it first.',
  resource: 'USER',
  action: 'DELETE',
  intent: t.fields({ userIds: t.SomeUuids }),
  result: Deleted,
  change: DeletedWith,
  paramNames: ['user_ids'],
  params: ({ userIds }) => ({ user_ids: userIds }),

  execute: (intent, context) => {
    const members = quorum.of(context.organization).userIds
    const executed = deleted.execute(intent, context)
    if (intent.userIds.some((userId) => members.includes(userId))) throw quorumUsersMissing()
    const providerIds = providerIdsOf(context.organization, intent.userIds)
    return { ...executed, change: { ...executed.change, providerIds } }
  },

  evolve: (draft, change, { sequence }) => {
    for (const userId of change.userIds) removeUser(draft, userId, sequence)
  },
})
