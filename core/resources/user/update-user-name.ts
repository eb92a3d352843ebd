import * as t from 'io-ts'
import { Label, Uuid } from '../../codec/codec.ts'
import { fields } from '../../codec/fields.ts'
import { personal, subject } from '../../codec/personal.ts'
import { operation } from '../../definition/operation.ts'
import { find } from '../../definition/refusals.ts'
import { users } from '../../organization/users.ts'
import { E } from '../../prelude.ts'

/** Names need not be unique. Users may not change their own name unless a policy lets them. */
export const updateUserName = operation({
  type: 'ACTIVITY_TYPE_UPDATE_USER_NAME',
  path: 'update_user_name',
  summary: "Changes a user's name.",
  resource: 'USER',
  action: 'UPDATE',
  intent: fields({ userId: Uuid, userName: Label }),
  result: fields({ userId: t.string }),
  change: fields({ userId: subject(t.string), userName: personal(t.string, '') }),
  subjects: ({ userId }) => [userId],

  execute: (intent, { organization }) =>
    E.map(() => ({ result: { userId: intent.userId }, change: intent }))(
      find('user', users.of(organization), intent.userId, organization),
    ),

  evolve: (draft, { userId, userName }, { atMs }) => {
    const user = users.in(draft).get(userId)
    if (user === undefined) return
    user.userName = userName
    user.updatedAtMs = atMs
  },
})
