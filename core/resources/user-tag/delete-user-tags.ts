import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { userTagging } from './user-tags.ts'

const Deleted = t.fields({ userTagIds: t.array(t.string), userIds: t.array(t.string) })

export const deleteUserTags = operation({
  type: 'ACTIVITY_TYPE_DELETE_USER_TAGS',
  path: 'delete_user_tags',
  summary: 'Deletes tags, and takes them from all who had them.',
  resource: 'USER',
  action: 'DELETE',
  intent: t.fields({ userTagIds: t.SomeUuids }),
  result: Deleted,
  change: Deleted,

  execute: ({ userTagIds }, context) => {
    const deleted = { userTagIds, userIds: userTagging.having(userTagIds, context) }
    return { result: deleted, change: deleted }
  },

  evolve: (draft, { userTagIds, userIds }, { atMs }) => userTagging.deleted(draft, userTagIds, userIds, atMs),
})
