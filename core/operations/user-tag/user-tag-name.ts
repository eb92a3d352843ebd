import type { Failure } from '../../failure.ts'
import type { Organization } from '../../organization/organization.ts'
import { E } from '../../prelude.ts'
import { notUnique } from '../refusals.ts'

/** Fails where another tag than `userTagId` has the name. */
export const checkTagName = (
  field: string,
  tagName: string | undefined,
  { userTags }: Organization,
  userTagId?: string,
): E.Either<Failure, void> => {
  for (const tag of userTags.values()) {
    if (tag.tagName === tagName && tag.tagId !== userTagId) return E.left(notUnique(field))
  }
  return E.right(undefined)
}
