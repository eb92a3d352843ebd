import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { notBoth } from '../tag/tagging.ts'
import { userTagging } from './user-tags.ts'

export const updateUserTag = operation({
  type: 'ACTIVITY_TYPE_UPDATE_USER_TAG',
  path: 'update_user_tag',
  summary: "Changes a tag's name, gives it to users and takes it from others.",
  resource: 'USER',
  action: 'UPDATE',
  intent: t.fields(
    { userTagId: t.Uuid, addUserIds: t.Uuids, removeUserIds: t.Uuids },
    { newUserTagName: t.LabelOrEmpty },
    ({ addUserIds, removeUserIds }) => notBoth('removeUserIds', 'user who', addUserIds, removeUserIds),
  ),
  result: t.fields({ userTagId: t.string }),
  change: t.fields(
    { userTagId: t.string, addUserIds: t.array(t.string), removeUserIds: t.array(t.string) },
    { userTagName: t.string },
  ),

  execute: ({ userTagId, addUserIds, removeUserIds, newUserTagName }, context) => {
    const userTagName = newUserTagName || undefined
    const ids = [...addUserIds, ...removeUserIds]
    userTagging.checkUpdate('newUserTagName', { tagId: userTagId, tagName: userTagName, ids }, context)
    return { result: { userTagId }, change: { userTagId, addUserIds, removeUserIds, userTagName } }
  },

  evolve: (draft, { userTagId: tagId, userTagName: tagName, addUserIds: added, removeUserIds: removed }, { atMs }) =>
    userTagging.updated(draft, { tagId, tagName, added, removed }, atMs),
})
