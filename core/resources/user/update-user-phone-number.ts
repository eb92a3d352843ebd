import * as t from '../../codec/t.ts'
import { changeUser, setPhoneNumber } from './change-user.ts'
import { operation } from '../../definition/operation.ts'
import { users } from '../../organization/users.ts'
import { needsVerificationKeys } from '../verification/verification-token.ts'
import { isVerifiedBy, VerificationToken, verifiedIn } from './verified-contact.ts'

/** A phone number need not be unique. The empty text removes the present one. */
export const updateUserPhoneNumber = operation({
  type: 'ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER',
  path: 'update_user_phone_number',
  summary: "Changes or removes a user's phone number.",
  resource: 'USER',
  action: 'UPDATE',
  passwords: ['verificationToken'],
  intent: t.fields({ userId: t.Uuid, userPhoneNumber: t.PhoneNumberOrEmpty }, { verificationToken: VerificationToken }),
  result: t.fields({ userId: t.string }),
  change: t.fields(
    { userId: t.subject(t.string), userPhoneNumber: t.personal(t.string, '') },
    { isVerified: t.boolean },
  ),
  subjects: ({ userId }) => [userId],

  inspectNeeds: needsVerificationKeys,
  nothingToInspect: ({ verificationToken }) => (verificationToken ? undefined : {}),
  inspect: verifiedIn,

  execute: ({ userId, userPhoneNumber }, context) => {
    context.find('user', users, userId)
    const isVerified = isVerifiedBy({ otpType: 'OTP_TYPE_SMS', contact: userPhoneNumber }, context)
    return { result: { userId }, change: { userId, userPhoneNumber, ...(isVerified && { isVerified }) } }
  },

  evolve: (draft, { userId, userPhoneNumber, isVerified }, { atMs }) =>
    changeUser(draft, userId, atMs, (user) => setPhoneNumber(user, userPhoneNumber, isVerified)),
})
