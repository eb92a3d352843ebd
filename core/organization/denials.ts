import * as t from 'io-ts'
import { fields } from '../codec/fields.ts'
import { mapOf } from '../codec/map-of.ts'
import { state, type Draft, type Organization } from './state.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * How many denied activities each user has in the newest day of UTC that has some, by the time of the log. Each day begins anew, so the
 * state stays small.
 */
export const denials = state({
  name: 'denials',
  version: 1,
  codec: fields({ day: t.number, byUser: mapOf(t.number) }),
  initial: () => ({ day: 0, byUser: new Map<string, number>() }),
})

/** How many activities of the user were denied on the day of that moment. */
export const denialsOn = (organization: Organization, userId: string, atMs: number): number => {
  const { day, byUser } = denials.of(organization)
  return day === dayOf(atMs) ? (byUser.get(userId) ?? 0) : 0
}

/** Counts one more. */
export const countDenial = (draft: Draft, userId: string, atMs: number): void => {
  const counted = denials.in(draft)
  const day = dayOf(atMs)
  if (counted.day !== day) counted.byUser.clear()
  counted.day = day
  counted.byUser.set(userId, (counted.byUser.get(userId) ?? 0) + 1)
}

const dayOf = (atMs: number): number => Math.floor(atMs / DAY_MS)
