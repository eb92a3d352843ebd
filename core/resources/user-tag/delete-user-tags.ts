import * as t from '../../codec/t.ts'
import { users } from '../../organization/users.ts'
import { userTags } from './user-tags.ts'
import { operation } from '../../definition/operation.ts'
import { untag } from './tagged-users.ts'

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

  execute: ({ userTagIds }, { organization, findAll }) => {
    findAll('user tag', userTags, userTagIds)
    const tagged = [...users.of(organization).values()].filter(({ tagIds }) =>
      tagIds.some((tagId) => userTagIds.includes(tagId)),
    )
    const deleted = { userTagIds, userIds: tagged.map(({ userId }) => userId) }
    return { result: deleted, change: deleted }
  },

  evolve: (draft, { userTagIds, userIds }, { atMs }) => {
    for (const userTagId of userTagIds) userTags.in(draft).delete(userTagId)
    for (const userId of userIds) untag(users.in(draft).get(userId), userTagIds, atMs)
  },
})
