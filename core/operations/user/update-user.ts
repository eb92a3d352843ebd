import * as t from 'io-ts'
import { Label, Uuid } from '../../codec.ts'
import { E, pipe } from '../../prelude.ts'
import { fields, Ids } from '../fields.ts'
import { operation } from '../operation.ts'
import { find, findAll } from '../refusals.ts'
import { Email, PhoneNumber } from './contact.ts'

/**
 * An empty list of tags leaves them as they are: that is how the wire says "not needed". Tags are taken away by
 * `update_user_tag`. An empty e-mail address or phone number removes the one that is there.
 */
export const updateUser = operation({
  type: 'ACTIVITY_TYPE_UPDATE_USER',
  path: 'update_user',
  summary: "Changes a user's name, contact or tags.",
  resource: 'USER',
  action: 'UPDATE',
  intent: fields(
    { userId: Uuid },
    { userName: Label, userEmail: Email, userTagIds: Ids, userPhoneNumber: PhoneNumber },
  ),
  result: fields({ userId: t.string }),
  change: fields(
    { userId: t.string },
    { userName: t.string, userEmail: t.string, tagIds: t.array(t.string), userPhoneNumber: t.string },
  ),

  execute: ({ userTagIds = [], ...intent }, { organization }) =>
    pipe(
      find('user', organization.users, intent.userId, organization),
      E.flatMap(() => findAll('user tag', organization.userTags, userTagIds, organization)),
      E.map(() => ({
        result: { userId: intent.userId },
        change: { ...intent, ...(userTagIds.length === 0 ? {} : { tagIds: userTagIds }) },
      })),
    ),

  evolve: (draft, { userId, userName, userEmail, tagIds, userPhoneNumber }, { atMs }) => {
    const user = draft.users.get(userId)
    if (user === undefined) return
    if (userName !== undefined) user.userName = userName
    if (userEmail === '') delete user.userEmail
    else if (userEmail !== undefined) user.userEmail = userEmail
    if (userPhoneNumber === '') delete user.userPhoneNumber
    else if (userPhoneNumber !== undefined) user.userPhoneNumber = userPhoneNumber
    if (tagIds !== undefined) user.tagIds = [...tagIds]
    user.updatedAtMs = atMs
  },
})
