import * as t from '../../codec/t.ts'
import { withTimes, shownTimes } from '../records.ts'
import type { Tag } from './tags.ts'

export type TagType = 'TAG_TYPE_USER' | 'TAG_TYPE_PRIVATE_KEY'

/** A tag as the wire shows it. */
export const TagView = t.named(
  'Tag',
  t.fields({
    tagId: t.Uuid,
    tagName: t.string,
    tagType: t.keyof({ TAG_TYPE_USER: null, TAG_TYPE_PRIVATE_KEY: null }),
    ...shownTimes,
  }),
)
export type TagView = t.TypeOf<typeof TagView>

export const tagView =
  (tagType: TagType) =>
  (tag: Tag): TagView => ({ ...withTimes(tag), tagType })
