import * as t from 'io-ts'
import { fields } from '../codec/fields.ts'
import { mapOf } from '../codec/map-of.ts'
import { state } from './state.ts'

/** The sequence of the event that deleted the user, and whether the personal data was erased. */
const DeletedUser = fields({ sequence: t.string, isErased: t.boolean })
type DeletedUser = t.TypeOf<typeof DeletedUser>

/**
 * The ids of all deleted users, in order of their deletion, and of invitations that were revoked, or accepted by a user with another id:
 * data of an invited person is found by the id of the invitation. Unlike `formerUsers` it forgets nobody, because only the data of a
 * person who was there and is gone can be erased, and only once.
 */
export const deletedUsers = state({
  name: 'deleted-users',
  version: 1,
  codec: mapOf(DeletedUser),
  initial: () => new Map<string, DeletedUser>(),
})
