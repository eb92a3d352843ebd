import * as t from '../../codec/t.ts'
import { shownTimes, timesOf } from '../records.ts'
import type { UserTag } from './user-tags.ts'

/** A user tag as the wire shows it. */
export const UserTagView = t.named(
  'UserTag',
  t.fields({
    tagId: t.Uuid,
    tagName: t.string,
    tagType: t.literal('TAG_TYPE_USER'),
    ...shownTimes,
  }),
)
export type UserTagView = t.TypeOf<typeof UserTagView>

export const userTagView = (tag: UserTag): UserTagView => ({
  tagId: tag.tagId,
  tagName: tag.tagName,
  tagType: 'TAG_TYPE_USER',
  ...timesOf(tag),
})
