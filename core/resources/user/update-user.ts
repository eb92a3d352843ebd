import { users } from '../../organization/users.ts'
import { userTags } from '../user-tag/user-tags.ts'
import * as t from 'io-ts'
import { LabelOrEmpty, Uuid } from '../../codec/codec.ts'
import { E, pipe } from '../../prelude.ts'
import { fields, Uuids } from '../../codec/fields.ts'
import { personal, subject } from '../../codec/personal.ts'
import { operation } from '../../definition/operation.ts'
import { find, findAll } from '../../definition/refusals.ts'
import { Email, PhoneNumber } from './contact.ts'

/**
 * An empty list of tags does not change the tags, because the wire uses it for "no change". `update_user_tag` removes tags from users. An
 * empty e-mail address or phone number removes the present one. An empty name does not change the name.
 */
export const updateUser = operation({
  type: 'ACTIVITY_TYPE_UPDATE_USER',
  path: 'update_user',
  summary: "Changes a user's name, contact or tags.",
  resource: 'USER',
  action: 'UPDATE',
  intent: fields(
    { userId: Uuid },
    { userName: LabelOrEmpty, userEmail: Email, userTagIds: Uuids, userPhoneNumber: PhoneNumber },
  ),
  result: fields({ userId: t.string }),
  change: fields(
    { userId: subject(t.string) },
    {
      userName: personal(t.string, ''),
      userEmail: personal(t.string),
      tagIds: t.array(t.string),
      userPhoneNumber: personal(t.string),
    },
  ),
  subjects: ({ userId }) => [userId],

  execute: ({ userTagIds = [], ...intent }, { organization }) =>
    pipe(
      find('user', users.of(organization), intent.userId, organization),
      E.flatMap(() => findAll('user tag', userTags.of(organization), userTagIds, organization)),
      E.map(() => ({
        result: { userId: intent.userId },
        change: {
          ...intent,
          userName: intent.userName || undefined,
          tagIds: userTagIds.length === 0 ? undefined : userTagIds,
        },
      })),
    ),

  evolve: (draft, { userId, userName, userEmail, tagIds, userPhoneNumber }, { atMs }) => {
    const user = users.in(draft).get(userId)
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
