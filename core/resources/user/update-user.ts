import * as t from '../../codec/t.ts'
import { changeUser, setEmail, setPhoneNumber } from './change-user.ts'
import { users } from '../../organization/users.ts'
import { userTags } from '../user-tag/user-tags.ts'
import { operation } from '../../definition/operation.ts'

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
  intent: t.fields(
    { userId: t.Uuid },
    { userName: t.LabelOrEmpty, userEmail: t.EmailOrEmpty, userTagIds: t.Uuids, userPhoneNumber: t.PhoneNumberOrEmpty },
  ),
  result: t.fields({ userId: t.string }),
  change: t.fields(
    { userId: t.subject(t.string) },
    {
      userName: t.personal(t.string, ''),
      userEmail: t.personal(t.string),
      tagIds: t.array(t.string),
      userPhoneNumber: t.personal(t.string),
    },
  ),
  subjects: ({ userId }) => [userId],

  execute: ({ userTagIds = [], ...intent }, { find, findAll }) => {
    const { userId } = find('user', users, intent.userId)
    findAll('user tag', userTags, userTagIds)
    const tagIds = userTagIds.length === 0 ? undefined : userTagIds
    return { result: { userId }, change: { ...intent, userName: intent.userName || undefined, tagIds } }
  },

  evolve: (draft, { userId, userName, userEmail, tagIds, userPhoneNumber }, { atMs }) =>
    changeUser(draft, userId, atMs, (user) => {
      if (userName !== undefined) user.userName = userName
      if (userEmail !== undefined) setEmail(user, userEmail)
      if (userPhoneNumber !== undefined) setPhoneNumber(user, userPhoneNumber)
      if (tagIds !== undefined) user.tagIds = [...tagIds]
    }),
})
