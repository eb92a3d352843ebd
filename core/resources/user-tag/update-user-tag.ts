import { users } from '../../organization/users.ts'
import { userTags } from './user-tags.ts'
import * as t from 'io-ts'
import { LabelOrEmpty, Uuid } from '../../codec/codec.ts'
import { E, pipe } from '../../prelude.ts'
import { fields, Uuids } from '../../codec/fields.ts'
import { operation } from '../../definition/operation.ts'
import { find, findAll } from '../../definition/refusals.ts'
import { tag, untag } from './tagged-users.ts'
import { checkTagName } from './user-tag-name.ts'

export const updateUserTag = operation({
  type: 'ACTIVITY_TYPE_UPDATE_USER_TAG',
  path: 'update_user_tag',
  summary: "Changes a tag's name, gives it to users and takes it from others.",
  resource: 'USER',
  action: 'UPDATE',
  intent: fields(
    { userTagId: Uuid, addUserIds: Uuids, removeUserIds: Uuids },
    { newUserTagName: LabelOrEmpty },
    ({ addUserIds, removeUserIds }) => {
      const added = new Set(addUserIds)
      return removeUserIds.some((userId) => added.has(userId))
        ? { member: 'removeUserIds', expected: 'no user who is also added' }
        : undefined
    },
  ),
  result: fields({ userTagId: t.string }),
  change: fields(
    { userTagId: t.string, addUserIds: t.array(t.string), removeUserIds: t.array(t.string) },
    { userTagName: t.string },
  ),

  execute: ({ userTagId, addUserIds, removeUserIds, newUserTagName }, { organization }) =>
    pipe(
      find('user tag', userTags.of(organization), userTagId, organization),
      E.flatMap(() => findAll('user', users.of(organization), [...addUserIds, ...removeUserIds], organization)),
      E.flatMap(() => checkTagName('newUserTagName', newUserTagName || undefined, organization, userTagId)),
      E.map(() => ({
        result: { userTagId },
        change: { userTagId, addUserIds, removeUserIds, userTagName: newUserTagName || undefined },
      })),
    ),

  evolve: (draft, { userTagId, addUserIds, removeUserIds, userTagName }, { atMs }) => {
    const found = userTags.in(draft).get(userTagId)
    if (found === undefined) return
    if (userTagName !== undefined) found.tagName = userTagName
    found.updatedAtMs = atMs
    for (const userId of addUserIds) tag(users.in(draft).get(userId), userTagId, atMs)
    for (const userId of removeUserIds) untag(users.in(draft).get(userId), [userTagId], atMs)
  },
})
