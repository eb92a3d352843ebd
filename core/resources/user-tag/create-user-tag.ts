import * as t from '../../codec/t.ts'
import { parentOf } from '../../organization/profile.ts'
import { users } from '../../organization/users.ts'
import { userTags } from './user-tags.ts'
import { operation } from '../../definition/operation.ts'
import { checkQuota } from '../check-quota.ts'
import { tag } from './tagged-users.ts'
import { userTagLimits } from './user-tag-limits.ts'
import { checkTagName } from './user-tag-name.ts'

/** The most tags of an organization below another one, whatever the limit is. */
const TAGS_BELOW_MAX = 10

export const createUserTag = operation({
  type: 'ACTIVITY_TYPE_CREATE_USER_TAG',
  path: 'create_user_tag',
  summary: 'Creates a tag and gives it to users.',
  resource: 'USER',
  action: 'CREATE',
  intent: t.fields({ userTagName: t.Label, userIds: t.Uuids }),
  result: t.fields({ userTagId: t.string, userIds: t.array(t.string) }),
  change: t.fields({ userTagId: t.string, userTagName: t.string, userIds: t.array(t.string) }),

  execute: ({ userTagName, userIds }, context) => {
    const { organization, ids, findAll } = context
    const { userTags: most } = userTagLimits.of(context)
    const isBelow = parentOf(organization) !== undefined
    checkQuota(userTags.of(organization).size + 1, isBelow ? Math.min(most, TAGS_BELOW_MAX) : most, 'user tags')
    checkTagName('userTagName', userTagName, organization)
    findAll('user', users, userIds)
    const userTagId = ids()
    return { result: { userTagId, userIds }, change: { userTagId, userTagName, userIds } }
  },

  evolve: (draft, { userTagId, userTagName, userIds }, { atMs }) => {
    userTags.in(draft).set(userTagId, { tagId: userTagId, tagName: userTagName, createdAtMs: atMs, updatedAtMs: atMs })
    for (const userId of userIds) tag(users.in(draft).get(userId), userTagId, atMs)
  },
})
