import type { Draft } from '../../organization/state.ts'
import { users, type UserDraft } from '../../organization/users.ts'

/** Changes a user who may have been deleted since, in `evolve`. */
export const changeUser = (draft: Draft, userId: string, atMs: number, change: (user: UserDraft) => void): void => {
  const user = users.in(draft).get(userId)
  if (user === undefined) return
  change(user)
  user.updatedAtMs = atMs
}
