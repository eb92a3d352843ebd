import type { UserDraft } from '../../organization/users.ts'

export const tag = (user: UserDraft | undefined, tagId: string, atMs: number): void => {
  if (user === undefined || user.tagIds.includes(tagId)) return
  user.tagIds.push(tagId)
  user.updatedAtMs = atMs
}

export const untag = (user: UserDraft | undefined, tagIds: readonly string[], atMs: number): void => {
  if (user === undefined || !user.tagIds.some((tagId) => tagIds.includes(tagId))) return
  user.tagIds = user.tagIds.filter((tagId) => !tagIds.includes(tagId))
  user.updatedAtMs = atMs
}
