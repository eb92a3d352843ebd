import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { parentOf } from '../../organization/profile.ts'
import { userTagLimits } from './user-tag-limits.ts'
import { userTagging } from './user-tags.ts'

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
    const { userTags: most } = userTagLimits.of(context)
    const isBelow = parentOf(context.organization) !== undefined
    const countMax = isBelow ? Math.min(most, TAGS_BELOW_MAX) : most
    const userTagId = userTagging.create('userTagName', { tagName: userTagName, ids: userIds, countMax }, context)
    return { result: { userTagId, userIds }, change: { userTagId, userTagName, userIds } }
  },

  evolve: (draft, { userTagId, userTagName, userIds }, { atMs }) =>
    userTagging.created(draft, userTagId, userTagName, userIds, atMs),
})
