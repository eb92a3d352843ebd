import { boundedMap } from '../../core/collections/bounded-map.ts'
import { appendRules, type LogEnd, type Lookups } from '../../core/ports/append-rules.ts'
import type { ActivityStanding, Appended, Commit, NewEvent, PartPlace, Standing } from '../../core/ports/event-store.ts'
import { batchedInsert } from './batched-insert.ts'
import type { Connection, Statement } from './connection.ts'
import { ERASED_NAME } from './read-parts.ts'
import type { WriterOptions } from './requests.ts'

/** The tables of the log, inside a transaction that the group owns. */
export type LogWriter = {
  /**
   * Writes the commits that the rules accept. With `isTrusting`, the unique indexes find a known event id or a taken revision: then a
   * statement fails, and the group is run again without it.
   */
  readonly append: (commits: readonly Commit[], isTrusting: boolean) => readonly Appended[]
  readonly eraseParts: (organization: string, parts: readonly PartPlace[]) => void
  readonly setImportedTo: (position: bigint) => void
  readonly setStandings: (standings: readonly ActivityStanding[], version: bigint) => void
  /** Inserts the last waiting rows, and sets the standings of activities that began earlier. */
  readonly flush: () => void
  /** To be called after the commit of the transaction. */
  readonly settle: () => void
  /** To be called after a rollback: forgets the transaction's changes in memory, and reads the file again. */
  readonly forget: () => void
}

/** `key` is the organization's number in this file; `undefined` before its first event. */
type Head = LogEnd & { readonly key: bigint | undefined }

export const logWriter = (db: Connection, options: WriterOptions): LogWriter => {
  const { firstPosition, firstSequence, commitBytesMax, headsMax } = options
  const events = batchedInsert(db, 'events', 9)
  const parts = batchedInsert(db, 'parts', 4)
  const insertOrganization = db.query('INSERT INTO organizations (id) VALUES (?) RETURNING key')
  // Not deleted: then SQLite moves rows between pages, and leaves old copies of them in the gaps, which `secure_delete` does not overwrite.
  // A row of the same length is overwritten in its place.
  const overwritePart = db.command(`
    UPDATE parts SET name = ${ERASED_NAME}, salt = zeroblob(length(salt)), bytes = zeroblob(length(bytes))
    WHERE name = ?3 AND position = (
      SELECT position FROM events WHERE organization = (SELECT key FROM organizations WHERE id = ?1) AND sequence = ?2)`)
  const setOrigin = db.command('UPDATE origin SET imported_to = ?')
  const setVersion = db.command('UPDATE origin SET standings = ?')
  const setStanding = db.command(`
    UPDATE events SET type = coalesce(?3, type), status = ?4
    WHERE organization = (SELECT key FROM organizations WHERE id = ?1) AND activity = ?2 AND revision = 1`)
  const selectHead = db.query(`
    SELECT o.key, e.sequence, e.position, e.id FROM organizations o JOIN events e ON e.organization = o.key
    WHERE o.id = ? ORDER BY e.sequence DESC LIMIT 1`)
  const selectRevision = db.query(`
    SELECT max(revision) FROM events WHERE organization = (SELECT key FROM organizations WHERE id = ?) AND activity = ?`)
  const selectKnown = db.query(`
    SELECT o.id, e.sequence, e.position, e.line FROM events e JOIN organizations o ON o.key = e.organization
    WHERE e.id = ?`)
  const selectLast = db.query('SELECT max(position) FROM events')

  const heads = boundedMap<string, Head>(headsMax)
  /** Heads that the open transaction moved. */
  const moved = new Map<string, Head>()
  /** New standings of activities that began in an earlier commit. Those of one activity are set in their order. */
  let restanding: ActivityStanding[] = []
  let last: bigint | undefined

  const flush = (): void => {
    events.flush()
    parts.flush()
  }

  const headOf = (organization: string): Head => {
    const known = moved.get(organization) ?? heads.get(organization)
    if (known !== undefined) return known
    const row = selectHead.get([organization]) as [bigint, bigint, bigint, string] | undefined // as selected
    if (row === undefined) return { key: undefined, sequence: 0n, position: 0n }
    const head = { key: row[0], sequence: row[1], position: row[2], id: row[3] }
    heads.set(organization, head)
    return head
  }

  const lookups: Lookups = {
    head: headOf,
    revision: (organization, activity) => {
      flush()
      return (selectRevision.get([organization, activity])?.[0] ?? 0n) as bigint // an integer or NULL
    },
    recorded: (id) => {
      flush()
      const row = selectKnown.get([id]) as [string, bigint, bigint, Uint8Array] | undefined // as selected
      return row && { organization: row[0], sequence: row[1], position: row[2], line: row[3] }
    },
  }

  const write = ({ organization, events: added }: Commit): Appended => {
    const head = headOf(organization)
    const key = head.key ?? (insertOrganization.get([organization])?.[0] as bigint) // RETURNING key
    let position = last ?? lastPosition(selectLast, firstPosition)
    let sequence = head.sequence === 0n ? firstSequence - 1n : head.sequence
    const begun = standingsOf(added)
    for (const { activity, revision, id, line, parts: own, standing } of added) {
      position++
      sequence++
      const first = revision === 1n ? begun.get(activity) : undefined
      events.add(position, key, sequence, activity, revision, id, line, first?.type ?? null, first?.status ?? null)
      if (standing !== undefined && !begun.has(activity)) restanding.push({ organization, activity, ...standing })
      for (const { name, salt, bytes } of own) parts.add(position, name, salt, bytes)
    }
    last = position
    moved.set(organization, { key, sequence, position, id: added.at(-1)?.id })
    return { _tag: 'committed', sequence, position }
  }

  const restand = (standings: readonly ActivityStanding[]): void => {
    for (const { organization, activity, type, status } of standings)
      setStanding.run([organization, activity, type ?? null, status])
  }

  const flushAll = (): void => {
    flush()
    restand(restanding)
    restanding = []
  }

  return {
    append: (commits, isTrusting) => {
      const refusal = appendRules(lookups, { bytesMax: commitBytesMax, trusting: isTrusting })
      return commits.map((commit) => refusal(commit) ?? write(commit))
    },
    eraseParts: (organization, erased) => {
      flush()
      for (const { sequence, name } of erased) overwritePart.run([organization, sequence, name])
    },
    setImportedTo: (position) => setOrigin.run([position]),
    setStandings: (standings, version) => {
      flushAll()
      restand(standings)
      setVersion.run([version])
    },
    flush: flushAll,
    settle: () => {
      for (const [organization, head] of moved) heads.set(organization, head)
      moved.clear()
    },
    forget: () => {
      events.forget()
      parts.forget()
      restanding = []
      last = undefined
      heads.clear()
      moved.clear()
    },
  }
}

/** The last standings of the activities that begin in a commit. */
const standingsOf = (events: readonly NewEvent[]): ReadonlyMap<string, Standing> => {
  const standings = new Map<string, Standing>()
  for (const { activity, revision, standing } of events) {
    const before = standings.get(activity)
    if (revision === 1n) standings.set(activity, standing ?? UNLISTED)
    else if (before !== undefined && standing !== undefined)
      standings.set(activity, { type: standing.type ?? before.type, status: standing.status })
  }
  return standings
}

const UNLISTED: Standing = { status: '' }

const lastPosition = (selectLast: Statement, firstPosition: bigint): bigint =>
  (selectLast.get([])?.[0] ?? firstPosition - 1n) as bigint // an integer or NULL
