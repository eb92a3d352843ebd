import * as t from 'io-ts'
import { mapOf } from '../codec/map-of.ts'
import { state } from './state.ts'

/**
 * The ids of all deleted users, in order of their deletion, each with whether the personal data was erased. Unlike `formerUsers` it
 * forgets nobody, because only the data of a user who was there and was deleted can be erased, and only once.
 */
export const deletedUsers = state({
  name: 'deleted-users',
  version: 1,
  codec: mapOf(t.boolean),
  initial: () => new Map<string, boolean>(),
})
