import { TE } from '../../prelude.ts'
import { InOrganization } from '../in-organization.ts'
import { query } from '../query.ts'
import { userTagView } from './user-tag-view.ts'

export const listUserTags = query({
  path: 'list_user_tags',
  summary: 'Lists all user tags.',
  request: InOrganization,
  answers: ['userTags'],
  answer: (_, { organization }) => TE.right({ userTags: [...organization.userTags.values()].map(userTagView) }),
})
