import * as t from 'io-ts'
import { Label, Uuid } from '../../codec.ts'
import { E, pipe } from '../../prelude.ts'
import { fields, Ids } from '../fields.ts'
import { operation } from '../operation.ts'
import { find, findAll } from '../refusals.ts'
import { tag, untag } from './tagged-users.ts'
import { checkTagName } from './user-tag-name.ts'

export const updateUserTag = operation({
  type: 'ACTIVITY_TYPE_UPDATE_USER_TAG',
  path: 'update_user_tag',
  summary: "Changes a tag's name, gives it to users and takes it from others.",
  resource: 'USER',
  action: 'UPDATE',
  intent: fields(
    { userTagId: Uuid, addUserIds: Ids, removeUserIds: Ids },
    { newUserTagName: Label },
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
      find('user tag', organization.userTags, userTagId, organization),
      E.flatMap(() => findAll('user', organization.users, [...addUserIds, ...removeUserIds], organization)),
      E.flatMap(() => checkTagName('newUserTagName', newUserTagName, organization, userTagId)),
      E.map(() => (newUserTagName === undefined ? {} : { userTagName: newUserTagName })),
      E.map((renamed) => ({ result: { userTagId }, change: { userTagId, addUserIds, removeUserIds, ...renamed } })),
    ),

  evolve: (draft, { userTagId, addUserIds, removeUserIds, userTagName }, { atMs }) => {
    const found = draft.userTags.get(userTagId)
    if (found === undefined) return
    if (userTagName !== undefined) found.tagName = userTagName
    found.updatedAtMs = atMs
    for (const userId of addUserIds) tag(draft.users.get(userId), userTagId, atMs)
    for (const userId of removeUserIds) untag(draft.users.get(userId), [userTagId], atMs)
  },
})
