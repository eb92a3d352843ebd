import * as t from '../../codec/t.ts'
import { changeUser } from './change-user.ts'
import { operation } from '../../definition/operation.ts'
import { users } from '../../organization/users.ts'

/** Names need not be unique. Users may not change their own name unless a policy lets them. */
export const updateUserName = operation({
  type: 'ACTIVITY_TYPE_UPDATE_USER_NAME',
  path: 'update_user_name',
  summary: "Changes a user's name.",
  resource: 'USER',
  action: 'UPDATE',
  intent: t.fields({ userId: t.Uuid, userName: t.Label }),
  result: t.fields({ userId: t.string }),
  change: t.fields({ userId: t.subject(t.string), userName: t.personal(t.string, '') }),
  subjects: ({ userId }) => [userId],

  execute: (intent, { find }) => {
    const { userId } = find('user', users, intent.userId)
    return { result: { userId }, change: intent }
  },

  evolve: (draft, { userId, userName }, { atMs }) =>
    changeUser(draft, userId, atMs, (user) => {
      user.userName = userName
    }),
})
