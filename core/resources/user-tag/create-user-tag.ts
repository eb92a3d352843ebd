import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { tagsMax } from '../tag/tagging.ts'
import { userTagLimits } from './user-tag-limits.ts'
import { userTagging } from './user-tags.ts'

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
    const countMax = tagsMax(context.organization, userTagLimits.of(context).userTags)
    const userTagId = userTagging.create('userTagName', { tagName: userTagName, ids: userIds, countMax }, context)
    return { result: { userTagId, userIds }, change: { userTagId, userTagName, userIds } }
  },

  evolve: (draft, { userTagId, userTagName, userIds }, { atMs }) =>
    userTagging.created(draft, userTagId, userTagName, userIds, atMs),
})
