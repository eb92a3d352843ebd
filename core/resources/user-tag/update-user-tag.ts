import * as t from '../../codec/t.ts'
import { users } from '../../organization/users.ts'
import { userTags } from './user-tags.ts'
import { operation } from '../../definition/operation.ts'
import { tag, untag } from './tagged-users.ts'
import { checkTagName } from './user-tag-name.ts'

export const updateUserTag = operation({
  type: 'ACTIVITY_TYPE_UPDATE_USER_TAG',
  path: 'update_user_tag',
  summary: "Changes a tag's name, gives it to users and takes it from others.",
  resource: 'USER',
  action: 'UPDATE',
  intent: t.fields(
    { userTagId: t.Uuid, addUserIds: t.Uuids, removeUserIds: t.Uuids },
    { newUserTagName: t.LabelOrEmpty },
    ({ addUserIds, removeUserIds }) => {
      const added = new Set(addUserIds)
      return removeUserIds.some((userId) => added.has(userId))
        ? { member: 'removeUserIds', expected: 'no user who is also added' }
        : undefined
    },
  ),
  result: t.fields({ userTagId: t.string }),
  change: t.fields(
    { userTagId: t.string, addUserIds: t.array(t.string), removeUserIds: t.array(t.string) },
    { userTagName: t.string },
  ),

  execute: ({ userTagId, addUserIds, removeUserIds, newUserTagName }, { organization, find, findAll }) => {
    find('user tag', userTags, userTagId)
    findAll('user', users, [...addUserIds, ...removeUserIds])
    const userTagName = newUserTagName || undefined
    checkTagName('newUserTagName', userTagName, organization, userTagId)
    return { result: { userTagId }, change: { userTagId, addUserIds, removeUserIds, userTagName } }
  },

  evolve: (draft, { userTagId, addUserIds, removeUserIds, userTagName }, { atMs }) => {
    const found = userTags.in(draft).get(userTagId)
    if (found === undefined) return
    if (userTagName !== undefined) found.tagName = userTagName
    found.updatedAtMs = atMs
    for (const userId of addUserIds) tag(users.in(draft).get(userId), userTagId, atMs)
    for (const userId of removeUserIds) untag(users.in(draft).get(userId), [userTagId], atMs)
  },
})
