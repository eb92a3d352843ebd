import * as t from '../../codec/t.ts'
import { changeUser, setEmail } from './change-user.ts'
import { operation } from '../../definition/operation.ts'
import { users } from '../../organization/users.ts'
import { needsVerificationKeys } from '../verification/verification-token.ts'
import { isVerifiedBy, VerificationToken, verifiedIn } from './verified-contact.ts'

/** An e-mail address need not be unique. The empty text removes the present one. */
export const updateUserEmail = operation({
  type: 'ACTIVITY_TYPE_UPDATE_USER_EMAIL',
  path: 'update_user_email',
  summary: "Changes or removes a user's e-mail address.",
  resource: 'USER',
  action: 'UPDATE',
  passwords: ['verificationToken'],
  intent: t.fields({ userId: t.Uuid, userEmail: t.EmailOrEmpty }, { verificationToken: VerificationToken }),
  result: t.fields({ userId: t.string }),
  change: t.fields({ userId: t.subject(t.string), userEmail: t.personal(t.string, '') }, { isVerified: t.boolean }),
  subjects: ({ userId }) => [userId],

  inspectNeeds: needsVerificationKeys,
  nothingToInspect: ({ verificationToken }) => (verificationToken ? undefined : {}),
  inspect: verifiedIn,

  execute: ({ userId, userEmail }, context) => {
    context.find('user', users, userId)
    const isVerified = isVerifiedBy({ otpType: 'OTP_TYPE_EMAIL', contact: userEmail }, context)
    return { result: { userId }, change: { userId, userEmail, ...(isVerified && { isVerified }) } }
  },

  evolve: (draft, { userId, userEmail, isVerified }, { atMs }) =>
    changeUser(draft, userId, atMs, (user) => setEmail(user, userEmail, isVerified)),
})
