import * as t from 'io-ts'
import { mapOf } from '../codec/map-of.ts'
import { state, type Draft } from './state.ts'

/** The last names of deleted users, by id, in order of their deletion. Their votes are still shown; no decision reads it. */
export const formerUsers = state({
  name: 'former-users',
  version: 1,
  codec: mapOf(t.string),
  initial: () => new Map<string, string>(),
})

/** How many names are remembered, so that the state cannot grow for ever. */
export const FORMER_USERS_MAX = 1_000

/** Remembers the name of a user who is deleted. If there are too many, the name that was remembered first is forgotten. */
export const rememberName = (draft: Draft, userId: string, userName: string): void => {
  const names = formerUsers.in(draft)
  names.set(userId, userName)
  for (const first of names.keys()) {
    if (names.size <= FORMER_USERS_MAX) break
    names.delete(first)
  }
}
