import { removeCredential } from '../../organization/credentials.ts'
import { deletedUsers } from '../../organization/deleted-users.ts'
import { rememberName } from '../../organization/former-users.ts'
import type { Draft } from '../../organization/state.ts'
import { users } from '../../organization/users.ts'

/** Removes a user, who may have been deleted since, with all credentials, and remembers who it was. @param sequence  of the event that does it */
export const removeUser = (draft: Draft, userId: string, sequence: bigint): void => {
  const user = users.in(draft).get(userId)
  if (user === undefined) return
  rememberName(draft, userId, user.userName)
  deletedUsers.in(draft).set(userId, { sequence: String(sequence), isErased: false })
  for (const credentialId of [...user.credentials.keys()]) removeCredential(draft, user, credentialId)
  users.in(draft).delete(userId)
}
