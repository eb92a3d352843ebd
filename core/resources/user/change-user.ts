import type { Draft } from '../../organization/state.ts'
import { users, type UserDraft } from '../../organization/users.ts'

/** Gives a user another e-mail address; the empty text removes it. It is verified by a token alone. */
export const setEmail = (user: UserDraft, userEmail: string, isVerified = false): void => {
  delete user.isEmailVerified
  if (userEmail === '') delete user.userEmail
  else user.userEmail = userEmail
  if (userEmail !== '' && isVerified) user.isEmailVerified = true
}

/** As `setEmail`, for a telephone. */
export const setPhoneNumber = (user: UserDraft, userPhoneNumber: string, isVerified = false): void => {
  delete user.isPhoneNumberVerified
  if (userPhoneNumber === '') delete user.userPhoneNumber
  else user.userPhoneNumber = userPhoneNumber
  if (userPhoneNumber !== '' && isVerified) user.isPhoneNumberVerified = true
}

/** Changes a user who may have been deleted since, in `evolve`. */
export const changeUser = (draft: Draft, userId: string, atMs: number, change: (user: UserDraft) => void): void => {
  const user = users.in(draft).get(userId)
  if (user === undefined) return
  change(user)
  user.updatedAtMs = atMs
}
