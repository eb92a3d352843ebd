import { users } from '../../organization/users.ts'
import { userTags } from './user-tags.ts'
import * as t from 'io-ts'
import { Label } from '../../codec/codec.ts'
import { E, pipe } from '../../prelude.ts'
import { fields, Uuids } from '../../codec/fields.ts'
import { operation } from '../../definition/operation.ts'
import { checkQuota, findAll } from '../../definition/refusals.ts'
import { tag } from './tagged-users.ts'
import { userTagLimits } from './user-tag-limits.ts'
import { checkTagName } from './user-tag-name.ts'

export const createUserTag = operation({
  type: 'ACTIVITY_TYPE_CREATE_USER_TAG',
  path: 'create_user_tag',
  summary: 'Creates a tag and gives it to users.',
  resource: 'USER',
  action: 'CREATE',
  intent: fields({ userTagName: Label, userIds: Uuids }),
  result: fields({ userTagId: t.string, userIds: t.array(t.string) }),
  change: fields({ userTagId: t.string, userTagName: t.string, userIds: t.array(t.string) }),

  execute: ({ userTagName, userIds }, context) => {
    const { organization, ids } = context
    return pipe(
      checkQuota(userTags.of(organization).size + 1, userTagLimits.of(context).userTags, 'user tags'),
      E.flatMap(() => checkTagName('userTagName', userTagName, organization)),
      E.flatMap(() => findAll('user', users.of(organization), userIds, organization)),
      E.map(ids),
      E.map((userTagId) => ({ result: { userTagId, userIds }, change: { userTagId, userTagName, userIds } })),
    )
  },

  evolve: (draft, { userTagId, userTagName, userIds }, { atMs }) => {
    userTags.in(draft).set(userTagId, { tagId: userTagId, tagName: userTagName, createdAtMs: atMs, updatedAtMs: atMs })
    for (const userId of userIds) tag(users.in(draft).get(userId), userTagId, atMs)
  },
})
