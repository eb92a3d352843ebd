import * as t from '../../codec/t.ts'
import { changeUser } from './change-user.ts'
import { operation } from '../../definition/operation.ts'
import { users } from '../../organization/users.ts'
import { refuseToken, VerificationToken } from './verification-token.ts'

/** An e-mail address need not be unique. The empty text removes the present one. */
export const updateUserEmail = operation({
  type: 'ACTIVITY_TYPE_UPDATE_USER_EMAIL',
  path: 'update_user_email',
  summary: "Changes or removes a user's e-mail address.",
  resource: 'USER',
  action: 'UPDATE',
  intent: t.fields({ userId: t.Uuid, userEmail: t.EmailOrEmpty }, { verificationToken: VerificationToken }),
  result: t.fields({ userId: t.string }),
  change: t.fields({ userId: t.subject(t.string), userEmail: t.personal(t.string, '') }),
  subjects: ({ userId }) => [userId],

  execute: ({ userId, userEmail, verificationToken }, { find }) => {
    refuseToken(verificationToken)
    find('user', users, userId)
    return { result: { userId }, change: { userId, userEmail } }
  },

  evolve: (draft, { userId, userEmail }, { atMs }) =>
    changeUser(draft, userId, atMs, (user) => {
      if (userEmail === '') delete user.userEmail
      else user.userEmail = userEmail
    }),
})
