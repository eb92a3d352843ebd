import { InOrganization } from '../in-organization.ts'
import { query } from '../query.ts'
import { wholeList } from '../whole-list.ts'
import { userTagView } from './user-tag-view.ts'

export const listUserTags = query({
  path: 'list_user_tags',
  summary: 'Lists all user tags.',
  request: InOrganization,
  answers: ['userTags'],
  answer: (_, { organization }) => wholeList('userTags', organization.userTags, userTagView),
})
