import * as t from 'io-ts'
import { Uuid } from '../../codec/codec.ts'
import { named } from '../../codec/described.ts'
import { fields } from '../../codec/fields.ts'
import { Timestamp, timestamp } from '../../codec/timestamp.ts'
import type { UserTag } from './user-tags.ts'

/** A user tag as the wire shows it. */
export const UserTagView = named(
  'UserTag',
  fields({
    tagId: Uuid,
    tagName: t.string,
    tagType: t.literal('TAG_TYPE_USER'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type UserTagView = t.TypeOf<typeof UserTagView>

export const userTagView = (tag: UserTag): UserTagView => ({
  tagId: tag.tagId,
  tagName: tag.tagName,
  tagType: 'TAG_TYPE_USER',
  createdAt: timestamp(tag.createdAtMs),
  updatedAt: timestamp(tag.updatedAtMs),
})
