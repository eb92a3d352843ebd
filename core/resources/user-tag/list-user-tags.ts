import * as t from '../../codec/t.ts'
import { userTags } from './user-tags.ts'
import { InOrganization } from '../in-organization.ts'
import { query } from '../../definition/query.ts'
import { wholeList } from '../whole-list.ts'
import { tagView, TagView } from '../tag/tag-view.ts'

export const listUserTags = query({
  path: 'list_user_tags',
  summary: 'Lists all user tags.',
  request: InOrganization,
  answer: t.fields({ userTags: t.readonlyArray(TagView) }),
  run: (_, { organization }) => wholeList('userTags', userTags.of(organization), tagView('TAG_TYPE_USER')),
})
