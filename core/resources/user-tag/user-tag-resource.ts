import { resource } from '../../definition/resource.ts'
import { userTags } from './user-tags.ts'
import { userTagLimits } from './user-tag-limits.ts'
import { createUserTag } from './create-user-tag.ts'
import { updateUserTag } from './update-user-tag.ts'
import { deleteUserTags } from './delete-user-tags.ts'
import { listUserTags } from './list-user-tags.ts'

export { createUserTag, updateUserTag, deleteUserTags, listUserTags, userTags }
export type { UserTag } from './user-tags.ts'

export const userTagResource = resource({
  name: 'user-tags',
  states: [userTags],
  limits: userTagLimits,
  operations: [createUserTag, updateUserTag, deleteUserTags],
  queries: [listUserTags],
})
