import type { Json } from '../../failure.ts'
import type { Tag } from '../../organization/organization.ts'
import { timestamp } from '../timestamp.ts'

export const userTagView = (tag: Tag): Json => ({
  tagId: tag.tagId,
  tagName: tag.tagName,
  tagType: 'TAG_TYPE_USER',
  createdAt: timestamp(tag.createdAtMs),
  updatedAt: timestamp(tag.updatedAtMs),
})
