import { uniqueName } from '../unique-name.ts'
import { userTags } from './user-tags.ts'

export const checkTagName = uniqueName(userTags, ({ tagName }) => tagName)
