import * as t from '../codec/t.ts'
import { timestamp } from '../codec/timestamp.ts'
import type { Draft, Organization, State } from '../organization/state.ts'

/*
 * Records are things that are created, replaced as a whole, deleted and shown, and that nothing else of an organization depends on.
 * `deletes` deletes them.
 */

/** The members that a state adds to the members of a change. */
export const times = { createdAtMs: t.number, updatedAtMs: t.number }
type Times = { readonly createdAtMs: number; readonly updatedAtMs: number }

/** How operations keep a record: an update replaces all of it but the time of its creation. */
export const keeps =
  <A extends object>(records: State<Map<string, A & Times>>, idOf: (record: A) => string) =>
  (draft: Draft, record: A, { atMs }: { readonly atMs: number }): void => {
    const [all, id] = [records.in(draft), idOf(record)]
    all.set(id, { ...record, createdAtMs: all.get(id)?.createdAtMs ?? atMs, updatedAtMs: atMs })
  }

/** The same times, as the wire shows them: of everything that has them. */
export const shownTimes = { createdAt: t.Timestamp, updatedAt: t.Timestamp }
export const timesOf = ({ createdAtMs, updatedAtMs }: Times) => ({
  createdAt: timestamp(createdAtMs),
  updatedAt: timestamp(updatedAtMs),
})

/** The same members, with the times as the wire shows them. */
export const withTimes = <A extends Times>({ createdAtMs, updatedAtMs, ...members }: A) => ({
  ...members,
  ...timesOf({ createdAtMs, updatedAtMs }),
})

/** The members that the wire adds to the members of a record. */
export const shownMembers = { organizationId: t.Uuid, ...shownTimes }

/** A record as the wire shows it. */
export const shown =
  ({ organizationId }: Organization) =>
  <A extends Times>(record: A) => ({ ...withTimes(record), organizationId })
