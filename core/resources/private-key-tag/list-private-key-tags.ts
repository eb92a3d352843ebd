import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { InOrganization } from '../in-organization.ts'
import { tagView, TagView } from '../tag/tag-view.ts'
import { wholeList } from '../whole-list.ts'
import { privateKeyTags } from './private-key-tags.ts'

export const listPrivateKeyTags = query({
  path: 'list_private_key_tags',
  summary: 'Lists all tags of private keys.',
  request: InOrganization,
  answer: t.fields({ privateKeyTags: t.readonlyArray(TagView) }),
  run: (_, { organization }) =>
    wholeList('privateKeyTags', privateKeyTags.of(organization), tagView('TAG_TYPE_PRIVATE_KEY')),
})
