import * as t from 'io-ts'
import { Uuid } from '../../codec/codec.ts'
import { fields } from '../../codec/fields.ts'
import { personal, subject } from '../../codec/personal.ts'
import { operation } from '../../definition/operation.ts'
import { find } from '../../definition/refusals.ts'
import { users } from '../../organization/users.ts'
import { E, pipe } from '../../prelude.ts'
import { Email } from './contact.ts'
import { refuseToken, VerificationToken } from './verification-token.ts'

/** An e-mail address need not be unique. The empty text removes the present one. */
export const updateUserEmail = operation({
  type: 'ACTIVITY_TYPE_UPDATE_USER_EMAIL',
  path: 'update_user_email',
  summary: "Changes or removes a user's e-mail address.",
  resource: 'USER',
  action: 'UPDATE',
  intent: fields({ userId: Uuid, userEmail: Email }, { verificationToken: VerificationToken }),
  result: fields({ userId: t.string }),
  change: fields({ userId: subject(t.string), userEmail: personal(t.string, '') }),
  subjects: ({ userId }) => [userId],

  execute: ({ userId, userEmail, verificationToken }, { organization }) =>
    pipe(
      refuseToken(verificationToken),
      E.flatMap(() => find('user', users.of(organization), userId, organization)),
      E.map(() => ({ result: { userId }, change: { userId, userEmail } })),
    ),

  evolve: (draft, { userId, userEmail }, { atMs }) => {
    const user = users.in(draft).get(userId)
    if (user === undefined) return
    if (userEmail === '') delete user.userEmail
    else user.userEmail = userEmail
    user.updatedAtMs = atMs
  },
})
