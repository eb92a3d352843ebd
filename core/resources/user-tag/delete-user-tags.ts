import { users } from '../../organization/users.ts'
import { userTags } from './user-tags.ts'
import * as t from 'io-ts'
import { E, pipe } from '../../prelude.ts'
import { fields, SomeUuids } from '../../codec/fields.ts'
import { operation } from '../../definition/operation.ts'
import { findAll } from '../../definition/refusals.ts'
import { untag } from './tagged-users.ts'

const Deleted = fields({ userTagIds: t.array(t.string), userIds: t.array(t.string) })

export const deleteUserTags = operation({
  type: 'ACTIVITY_TYPE_DELETE_USER_TAGS',
  path: 'delete_user_tags',
  summary: 'Deletes tags, and takes them from all who had them.',
  resource: 'USER',
  action: 'DELETE',
  intent: fields({ userTagIds: SomeUuids }),
  result: Deleted,
  change: Deleted,

  execute: ({ userTagIds }, { organization }) =>
    pipe(
      findAll('user tag', userTags.of(organization), userTagIds, organization),
      E.map(() => {
        const deleted = new Set(userTagIds)
        return [...users.of(organization).values()].filter(({ tagIds }) => tagIds.some((tagId) => deleted.has(tagId)))
      }),
      E.map((users) => ({ userTagIds, userIds: users.map(({ userId }) => userId) })),
      E.map((deleted) => ({ result: deleted, change: deleted })),
    ),

  evolve: (draft, { userTagIds, userIds }, { atMs }) => {
    for (const userTagId of userTagIds) userTags.in(draft).delete(userTagId)
    for (const userId of userIds) untag(users.in(draft).get(userId), userTagIds, atMs)
  },
})
