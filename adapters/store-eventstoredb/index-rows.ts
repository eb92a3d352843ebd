import * as t from 'io-ts'
import type { Json } from '../../core/failure.ts'
import { PENDING, type ActivityStanding, type Standing } from '../../core/ports/event-store.ts'
import type { RowChange } from '../../core/ports/read-models.ts'
import { E } from '../../core/prelude.ts'

/*
 * The index of activities: rows in borrowed read models. Rows of activities stand under their organization, ordered by their first
 * sequence, with type and status as facets. Rows of other kinds stand under names that no organization can have.
 */

/** The projection. Another form of its rows gets another name. */
export const INDEX = '$countersign.activities@1'
/** The projection of one row: the id of the database, which the log names. */
export const IDENTITY = '$countersign.log'
/** Names that belong to the store, and that no projection of an engine has. */
export const isHidden = (projection: string): boolean => projection.startsWith('$countersign.')

export const ORGANIZATIONS = '$organizations'
export const PENDINGS = '$pending'
export const STATE = '$state'

/** What is known of an activity: the sequences of all its events, so that the revision is their number. */
export type ActivityRow = {
  readonly sequences: readonly bigint[]
  /** The position of its first event. */
  readonly position: bigint
  readonly standing: Standing | undefined
}
/** Up to which event the index has an organization. */
export type OrganizationRow = { readonly sequence: bigint; readonly position: bigint; readonly id: string }

export type IndexState = {
  /** Random, and another one each time that the index begins anew. */
  readonly generation: string
  readonly database: string
  /** The position of the last event that the index has taken, and its UUID. */
  readonly position: bigint
  readonly id: string
  readonly standingsVersion: bigint
}

const Bigint = new t.Type<bigint, string, unknown>(
  'a number in decimal digits',
  (u): u is bigint => typeof u === 'bigint',
  (u, c) => (typeof u === 'string' && /^[0-9]{1,19}$/.test(u) ? t.success(BigInt(u)) : t.failure(u, c)),
  String,
)
const Activity = t.intersection([
  t.type({ s: t.array(Bigint), p: Bigint }),
  t.partial({ type: t.string, status: t.string }),
])
const Organization = t.type({ sequence: Bigint, position: Bigint, id: t.string })
const Pending = t.type({ organization: t.string, activity: t.string, sequence: Bigint, type: t.string })
const State = t.type({
  generation: t.string,
  database: t.string,
  position: Bigint,
  id: t.string,
  standingsVersion: Bigint,
})

/** A row that is none of ours counts as missing: then the index is built again. */
const decoded = <A>(codec: t.Type<A, unknown, unknown>, row: Json | undefined): A | undefined => {
  const found = codec.decode(row)
  return E.isRight(found) ? found.right : undefined
}

export const activityOf = (row: Json | undefined): ActivityRow | undefined => {
  const found = decoded(Activity, row)
  if (found === undefined) return undefined
  const { s: sequences, p: position, type, status } = found
  const standing = status === undefined ? undefined : { ...(type === undefined ? {} : { type }), status }
  return { sequences, position, standing }
}
export const organizationOf = (row: Json | undefined): OrganizationRow | undefined => decoded(Organization, row)
export const stateOf = (row: Json | undefined): IndexState | undefined => decoded(State, row)
export const pendingOf = (row: Json | undefined): t.TypeOf<typeof Pending> | undefined => decoded(Pending, row)

export const putState = (state: IndexState): RowChange => ({
  _tag: 'put',
  organization: STATE,
  key: 'state',
  order: 0n,
  facets: {},
  value: State.encode(state),
})

export const putOrganization = (organization: string, row: OrganizationRow): RowChange => ({
  _tag: 'put',
  organization: ORGANIZATIONS,
  key: organization,
  order: orderOf(organization),
  facets: {},
  value: Organization.encode(row),
})

/** Writes the row of an activity, and the one by which it is found while it is pending. */
export const putActivity = (organization: string, activity: string, row: ActivityRow): readonly RowChange[] => {
  const { sequences, position, standing } = row
  const { type, status } = standing ?? {}
  const [sequence = 0n] = sequences
  const own: RowChange = {
    _tag: 'put',
    organization,
    key: activity,
    order: sequence,
    facets: { ...(type === undefined ? {} : { first: type }), ...(status === undefined ? {} : { second: status }) },
    value: {
      s: sequences.map(String),
      p: String(position),
      ...(type === undefined ? {} : { type }),
      ...(status === undefined ? {} : { status }),
    },
  }
  const key = JSON.stringify([organization, activity])
  if (type === undefined || status !== PENDING) return [own, { _tag: 'delete', organization: PENDINGS, key }]
  const value = Pending.encode({ organization, activity, sequence, type })
  return [own, { _tag: 'put', organization: PENDINGS, key, order: position, facets: {}, value }]
}

/** The standing after another one: the first type stays unless a new one comes. */
export const stood = (before: Standing | undefined, next: Standing | undefined): Standing | undefined => {
  if (next === undefined) return before
  const type = next.type ?? before?.type
  return { ...(type === undefined ? {} : { type }), status: next.status }
}

/** The row with a standing that was made anew. */
export const restood = (row: ActivityRow, made: ActivityStanding): ActivityRow => ({
  ...row,
  standing: stood(row.standing, made),
})

/** The first 8 bytes of the name as a number, halved so that it fits: names in the order of their bytes never have falling numbers. */
export const orderOf = (organization: string): bigint => {
  const bytes = Buffer.alloc(8)
  bytes.write(organization, 'utf8')
  return bytes.readBigUInt64BE() >> 1n
}
