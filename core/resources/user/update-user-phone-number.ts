import * as t from 'io-ts'
import { Uuid } from '../../codec/codec.ts'
import { fields } from '../../codec/fields.ts'
import { personal, subject } from '../../codec/personal.ts'
import { operation } from '../../definition/operation.ts'
import { find } from '../../definition/refusals.ts'
import { users } from '../../organization/users.ts'
import { E, pipe } from '../../prelude.ts'
import { PhoneNumber } from './contact.ts'
import { refuseToken, VerificationToken } from './verification-token.ts'

/** A phone number need not be unique. The empty text removes the present one. */
export const updateUserPhoneNumber = operation({
  type: 'ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER',
  path: 'update_user_phone_number',
  summary: "Changes or removes a user's phone number.",
  resource: 'USER',
  action: 'UPDATE',
  intent: fields({ userId: Uuid, userPhoneNumber: PhoneNumber }, { verificationToken: VerificationToken }),
  result: fields({ userId: t.string }),
  change: fields({ userId: subject(t.string), userPhoneNumber: personal(t.string, '') }),
  subjects: ({ userId }) => [userId],

  execute: ({ userId, userPhoneNumber, verificationToken }, { organization }) =>
    pipe(
      refuseToken(verificationToken),
      E.flatMap(() => find('user', users.of(organization), userId, organization)),
      E.map(() => ({ result: { userId }, change: { userId, userPhoneNumber } })),
    ),

  evolve: (draft, { userId, userPhoneNumber }, { atMs }) => {
    const user = users.in(draft).get(userId)
    if (user === undefined) return
    if (userPhoneNumber === '') delete user.userPhoneNumber
    else user.userPhoneNumber = userPhoneNumber
    user.updatedAtMs = atMs
  },
})
