import { crashPoint, stopsIn } from '../crash-point.ts'
import type { Known, LogEnd } from '../../core/ports/append-rules.ts'
import type { Appended, Commit } from '../../core/ports/event-store.ts'
import { refuse } from '../../core/ports/refusal.ts'
import type { Row } from './driver.ts'
import { insertRows } from './insert-rows.ts'
import { judgeGroup, streamOf, type Found, type Judged, type Numbering } from './judge-group.ts'
import type { Connection } from './connect.ts'
import type { Asking } from './pool.ts'
import { isStorable } from './storable.ts'
import type { Tables } from './tables.ts'
import { INSIDE, type LockedTransactions } from './transaction.ts'

export type Written = {
  /** For each call, the outcomes of its commits. */
  readonly answers: readonly (readonly Appended[])[]
  /** The position of the last event of the store, if the group wrote any. */
  readonly wroteTo: bigint | undefined
}

/** A group that is to be written. */
export type Group = {
  readonly calls: readonly (readonly Commit[])[]
  /**
   * Look up only what no unique index finds out: the ids of new commits are new, and an activity that begins has not begun. Where that is not
   * so, the statement that writes violates an index; then the group is to be written again, without trusting.
   */
  readonly isTrusting: boolean
  /** Called before anything is written. */
  readonly onBegun: () => void
}
export type WriteGroup = (connection: Connection, group: Group) => Promise<Written>

/**
 * Looks up, judges and writes the commits of several calls. On a direct connection it does so first without the lock: the statement that writes
 * has it, and finds out whether what was judged still stands. So nobody waits for the lock while this process thinks.
 */
export const groupWriter =
  (t: Tables, numbering: Numbering, locked: LockedTransactions): WriteGroup =>
  async (connection, group) => {
    const ahead =
      connection.isDirect() && group.isTrusting && !stopsIn(...INSIDE)
        ? await writtenAhead(connection, t, numbering, locked, group)
        : undefined
    return ahead ?? writtenLocked(connection, t, numbering, locked, group)
  }

/** `undefined` if nothing was written, because the lock is needed: somebody else has appended to the same organizations meanwhile, say. */
const writtenAhead = async (
  connection: Connection,
  t: Tables,
  numbering: Numbering,
  locked: LockedTransactions,
  { calls, onBegun }: Group,
): Promise<Written | undefined> => {
  const commits = calls.flat()
  let found = await lookUpLittle(connection, t, commits)
  let judged = judgeGroup(calls, found, numbering)
  if (judged === undefined) {
    found = await lookUp(connection, t, commits)
    judged = judgedBy(calls, found, numbering)
  }
  const { answers, rows, lastPosition } = judged
  // What is refused, is so because of what stands already: the lock would not change it. What is repeated has to be confirmed.
  if (rows.isEmpty()) return hasDuplicate(answers) ? undefined : { answers, wroteTo: undefined }
  onBegun()
  const standing = { organizations: organizationsIn(commits), found, firstPosition: numbering.firstPosition }
  const shift = await locked.inOnePiece(connection, () => insertRows(connection, t, rows, standing))
  return shift === undefined ? undefined : shifted({ answers, wroteTo: lastPosition }, found, shift)
}

const writtenLocked = (
  connection: Connection,
  t: Tables,
  numbering: Numbering,
  locked: LockedTransactions,
  { calls, isTrusting, onBegun }: Group,
): Promise<Written> => {
  const commits = calls.flat()
  return locked.inSteps<Found, Written>(connection, {
    look: () => (isTrusting ? lookUpLittle : lookUp)(connection, t, commits),
    write: async (found) => {
      crashPoint('after-lock')
      const judged =
        judgeGroup(calls, found, numbering) ?? judgedBy(calls, await lookUp(connection, t, commits), numbering)
      const { answers, rows, lastPosition } = judged
      if (rows.isEmpty()) {
        const answer = { answers, wroteTo: undefined }
        return hasDuplicate(answers) ? { answer, write: () => confirm(connection) } : { answer }
      }
      onBegun()
      const write = async (): Promise<void> => {
        await insertRows(connection, t, rows)
        crashPoint('within-group')
      }
      return { answer: { answers, wroteTo: lastPosition }, write }
    },
  })
}

const hasDuplicate = (answers: Written['answers']): boolean => answers.flat().some(({ _tag }) => _tag === 'duplicate')

/**
 * A repeated commit may stand on this server and not yet on its synchronous standby, because its first COMMIT was cut off. Writing anything
 * makes this COMMIT wait for the standby, and so for all that came before.
 */
const confirm = (connection: Asking): Promise<unknown> =>
  connection.query(`SELECT pg_logical_emit_message(true, 'countersign', '')`)

/** @param found  everything that the rules can ask for */
const judgedBy = (calls: Group['calls'], found: Found, numbering: Numbering): Judged => {
  const judged = judgeGroup(calls, found, numbering)
  if (judged === undefined) throw refuse('INTERNAL', 'the store does not know what it has looked up')
  return judged
}

/** Others have appended to other organizations meanwhile: what this group wrote stands so much further behind. */
const shifted = ({ answers, wroteTo }: Written, { lastPosition = 0n }: Found, shift: bigint): Written => {
  if (shift === 0n) return { answers, wroteTo }
  const moved = (answer: Appended): Appended =>
    'position' in answer && answer.position > lastPosition ? { ...answer, position: answer.position + shift } : answer
  return { answers: answers.map((each) => each.map(moved)), wroteTo: wroteTo && wroteTo + shift }
}

/** One statement, so that everything is of one moment. */
const lookUp = async (connection: Asking, t: Tables, commits: readonly Commit[]): Promise<Found> => {
  const streams = new Map<string, Stream>()
  const ids = new Set<string>()
  for (const { organization, events } of commits)
    for (const { activity, id } of events) {
      streams.set(streamOf(organization, activity), [organization, activity])
      ids.add(id)
    }
  const { rows } = await connection.prepared('look-up', `${headsSql(t)} ${revisionsSql(t)} ${idsSql(t)}`, [
    organizationsIn(commits),
    ...columnsOf(streams),
    [...ids].filter(isStorable),
  ])
  return foundIn(rows, true)
}

/** The heads, and the revisions of activities that go on. */
const lookUpLittle = async (connection: Asking, t: Tables, commits: readonly Commit[]): Promise<Found> => {
  const streams = new Map<string, Stream>()
  for (const { organization, events } of commits)
    for (const { activity, revision } of events)
      if (revision !== 1n) streams.set(streamOf(organization, activity), [organization, activity])
  for (const { organization, events } of commits)
    for (const { activity, revision } of events) if (revision === 1n) streams.delete(streamOf(organization, activity))
  const organizations = organizationsIn(commits)
  const { rows } =
    streams.size === 0
      ? await connection.prepared('look-up-heads', headsSql(t), [organizations])
      : await connection.prepared('look-up-revisions', `${headsSql(t)} ${revisionsSql(t)}`, [
          organizations,
          ...columnsOf(streams),
        ])
  return foundIn(rows, false, new Set(streams.keys()))
}

type Stream = readonly [organization: string, activity: string]

const columnsOf = (streams: ReadonlyMap<string, Stream>): readonly [string[], string[]] => {
  const pairs = [...streams.values()].filter((pair) => pair.every(isStorable))
  return [pairs.map(([organization]) => organization), pairs.map(([, activity]) => activity)]
}

const organizationsIn = (commits: readonly Commit[]): readonly string[] => {
  const organizations = new Set<string>()
  for (const { organization, checks } of commits) {
    organizations.add(organization)
    for (const check of checks) organizations.add(check.organization)
  }
  return [...organizations].filter(isStorable)
}

/**
 * Rows of four kinds: the store's last position and key, heads, revisions and known ids. Where a table is joined, it is by looking into an index
 * for each row: a plan that is kept must be good for any number of rows.
 */
const headsSql = (t: Tables): string => `
  SELECT 's', NULL, NULL, (SELECT max(position) FROM ${t.events}), (SELECT max(key) FROM ${t.organizations}), NULL::int8, NULL::bytea
  UNION ALL
  SELECT 'h', o.id, h.id, h.position, o.key, h.sequence, NULL
  FROM ${t.organizations} o
  CROSS JOIN LATERAL (
    SELECT sequence, position, id FROM ${t.events} WHERE organization = o.key ORDER BY sequence DESC LIMIT 1) h
  WHERE o.id = ANY ($1::text[])`
const revisionsSql = (t: Tables): string => `
  UNION ALL
  SELECT 'r', s.organization, s.activity, r.revision, NULL, NULL, NULL
  FROM unnest($2::text[], $3::text[]) s (organization, activity)
  CROSS JOIN LATERAL (
    SELECT revision FROM ${t.events}
    WHERE organization = (SELECT key FROM ${t.organizations} WHERE id = s.organization) AND activity = s.activity
    ORDER BY revision DESC LIMIT 1) r`
const idsSql = (t: Tables): string => `
  UNION ALL
  SELECT 'k', e.id, (SELECT id FROM ${t.organizations} WHERE key = e.organization), e.position, NULL, e.sequence, e.line
  FROM ${t.events} e WHERE e.id = ANY ($4::text[])`

type Looked = readonly [string, string, string, bigint, bigint, bigint, Uint8Array]

/** @param lookedUp  the streams whose revisions were looked up, if not those of all */
const foundIn = (rows: readonly Row[], isWhole: boolean, lookedUp?: ReadonlySet<string>): Found => {
  const heads = new Map<string, LogEnd & { readonly key: bigint }>()
  const revisions = new Map<string, bigint>()
  const known = new Map<string, Known>()
  let lastPosition: bigint | undefined
  let lastKey = 0n
  for (const row of rows) {
    const [kind, a, b, position, key, sequence, line] = row as Looked // as selected
    if (kind === 's') {
      lastPosition = (row[3] as bigint | null) ?? undefined // NULL if the store is empty
      lastKey = (row[4] as bigint | null) ?? 0n
    } else if (kind === 'h') heads.set(a, { key, sequence, position, id: b })
    else if (kind === 'r') revisions.set(streamOf(a, b), position)
    else known.set(a, { organization: b, sequence, position, line })
  }
  const knows: Found['knows'] = isWhole
    ? { ids: true, revision: () => true }
    : { ids: false, revision: (stream) => lookedUp?.has(stream) === true }
  return { lastPosition, lastKey, heads, revisions, known, knows }
}
