import * as t from '../../codec/t.ts'
import { changeUser } from './change-user.ts'
import { operation } from '../../definition/operation.ts'
import { users } from '../../organization/users.ts'
import { refuseToken, VerificationToken } from './verification-token.ts'

/** A phone number need not be unique. The empty text removes the present one. */
export const updateUserPhoneNumber = operation({
  type: 'ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER',
  path: 'update_user_phone_number',
  summary: "Changes or removes a user's phone number.",
  resource: 'USER',
  action: 'UPDATE',
  intent: t.fields({ userId: t.Uuid, userPhoneNumber: t.PhoneNumberOrEmpty }, { verificationToken: VerificationToken }),
  result: t.fields({ userId: t.string }),
  change: t.fields({ userId: t.subject(t.string), userPhoneNumber: t.personal(t.string, '') }),
  subjects: ({ userId }) => [userId],

  execute: ({ userId, userPhoneNumber, verificationToken }, { find }) => {
    refuseToken(verificationToken)
    find('user', users, userId)
    return { result: { userId }, change: { userId, userPhoneNumber } }
  },

  evolve: (draft, { userId, userPhoneNumber }, { atMs }) =>
    changeUser(draft, userId, atMs, (user) => {
      if (userPhoneNumber === '') delete user.userPhoneNumber
      else user.userPhoneNumber = userPhoneNumber
    }),
})
