import { resource } from '../../definition/resource.ts'
import { createPrivateKeyTag } from './create-private-key-tag.ts'
import { deletePrivateKeyTags } from './delete-private-key-tags.ts'
import { listPrivateKeyTags } from './list-private-key-tags.ts'
import { privateKeyTagLimits } from './private-key-tag-limits.ts'
import { privateKeyTags } from './private-key-tags.ts'
import { updatePrivateKeyTag } from './update-private-key-tag.ts'

export { createPrivateKeyTag, deletePrivateKeyTags, listPrivateKeyTags, updatePrivateKeyTag }

export const privateKeyTagResource = resource({
  name: 'private-key-tags',
  states: [privateKeyTags],
  limits: privateKeyTagLimits,
  operations: [createPrivateKeyTag, updatePrivateKeyTag, deletePrivateKeyTags],
  queries: [listPrivateKeyTags],
})
