import * as t from 'io-ts'
import { Label } from '../../codec.ts'
import { E, pipe } from '../../prelude.ts'
import { fields, Ids } from '../fields.ts'
import { operation } from '../operation.ts'
import { findAll, overQuota } from '../refusals.ts'
import { tag } from './tagged-users.ts'
import { checkTagName } from './user-tag-name.ts'

export const createUserTag = operation({
  type: 'ACTIVITY_TYPE_CREATE_USER_TAG',
  path: 'create_user_tag',
  summary: 'Creates a tag and gives it to users.',
  resource: 'USER',
  action: 'CREATE',
  intent: fields({ userTagName: Label, userIds: Ids }),
  result: fields({ userTagId: t.string, userIds: t.array(t.string) }),
  change: fields({ userTagId: t.string, userTagName: t.string, userIds: t.array(t.string) }),

  execute: ({ userTagName, userIds }, { organization, ids, limits }) =>
    organization.userTags.size >= limits.userTags
      ? E.left(overQuota(limits.userTags, 'user tags'))
      : pipe(
          checkTagName('userTagName', userTagName, organization),
          E.flatMap(() => findAll('user', organization.users, userIds, organization)),
          E.map(ids),
          E.map((userTagId) => ({ result: { userTagId, userIds }, change: { userTagId, userTagName, userIds } })),
        ),

  evolve: (draft, { userTagId, userTagName, userIds }, { atMs }) => {
    draft.userTags.set(userTagId, { tagId: userTagId, tagName: userTagName, createdAtMs: atMs, updatedAtMs: atMs })
    for (const userId of userIds) tag(draft.users.get(userId), userTagId, atMs)
  },
})
