import { judge, type Lookups } from '../../core/ports/append-rules.ts'
import type { Appended, Commit } from '../../core/ports/event-store.ts'
import { batchedInsert } from './batched-insert.ts'
import type { Connection, Statement } from './connection.ts'
import type { LaneOptions } from './requests.ts'

/** The tables of the log, inside a transaction that the group owns. */
export type LogWriter = {
  /**
   * Writes what the rules let in. Trusting leaves it to the unique indexes to find a known event id or a taken revision:
   * then a statement fails, and the group is done again without trust.
   */
  readonly append: (commits: readonly Commit[], isTrusting: boolean) => readonly Appended[]
  readonly erasePart: (organization: string, sequence: bigint, part: string) => void
  readonly setImportedTo: (position: bigint) => void
  /** Hands the last waiting rows to SQLite. */
  readonly flush: () => void
  /** The transaction is committed. */
  readonly settle: () => void
  /** The transaction was rolled back: forgets what it did, and asks the file again. */
  readonly forget: () => void
}

/** `key` is the organization's number in this file; `undefined` before its first event. */
type Head = { readonly key: bigint | undefined; readonly sequence: bigint; readonly position: bigint }

export const logWriter = (db: Connection, options: LaneOptions): LogWriter => {
  const { firstPosition, firstSequence, commitBytesMax, headsMax } = options
  const events = batchedInsert(db, 'events', 7)
  const parts = batchedInsert(db, 'parts', 4)
  const insertOrganization = db.query('INSERT INTO organizations (id) VALUES (?) RETURNING key')
  const deletePart = db.command(`
    DELETE FROM parts WHERE name = ?3 AND position = (
      SELECT position FROM events WHERE organization = (SELECT key FROM organizations WHERE id = ?1) AND sequence = ?2)`)
  const setOrigin = db.command('UPDATE origin SET imported_to = ?')
  const selectHead = db.query(`
    SELECT o.key, e.sequence, e.position FROM organizations o JOIN events e ON e.organization = o.key
    WHERE o.id = ? ORDER BY e.sequence DESC LIMIT 1`)
  const selectRevision = db.query(`
    SELECT max(revision) FROM events WHERE organization = (SELECT key FROM organizations WHERE id = ?) AND activity = ?`)
  const selectKnown = db.query(`
    SELECT o.id, e.sequence, e.position, e.line FROM events e JOIN organizations o ON o.key = e.organization
    WHERE e.id = ?`)
  const selectLast = db.query('SELECT max(position) FROM events')

  /** Least recently used first. */
  const heads = new Map<string, Head>()
  /** Heads that the open transaction moved. */
  const moved = new Map<string, Head>()
  let last: bigint | undefined

  const flush = (): void => {
    events.flush()
    parts.flush()
  }

  const headOf = (organization: string): Head => {
    const known = moved.get(organization) ?? heads.get(organization)
    if (known !== undefined) return known
    const row = selectHead.get([organization]) as [bigint, bigint, bigint] | undefined // three integers
    if (row === undefined) return { key: undefined, sequence: 0n, position: 0n }
    const head = { key: row[0], sequence: row[1], position: row[2] }
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
    for (const { activity, revision, id, line, parts: own } of added) {
      position++
      sequence++
      events.add(position, key, sequence, activity, revision, id, line)
      for (const { name, salt, bytes } of own) parts.add(position, name, salt, bytes)
    }
    last = position
    moved.set(organization, { key, sequence, position })
    return { _tag: 'committed', sequence, position }
  }

  return {
    append: (commits, isTrusting) => {
      const refusal = judge(lookups, { bytesMax: commitBytesMax, trusting: isTrusting })
      return commits.map((commit) => refusal(commit) ?? write(commit))
    },
    erasePart: (organization, sequence, part) => {
      flush()
      deletePart.run([organization, sequence, part])
    },
    setImportedTo: (position) => setOrigin.run([position]),
    flush,
    settle: () => {
      for (const [organization, head] of moved) {
        heads.delete(organization)
        heads.set(organization, head)
      }
      for (const oldest of heads.keys()) {
        if (heads.size <= headsMax) break
        heads.delete(oldest)
      }
      moved.clear()
    },
    forget: () => {
      events.forget()
      parts.forget()
      last = undefined
      heads.clear()
      moved.clear()
    },
  }
}

const lastPosition = (selectLast: Statement, firstPosition: bigint): bigint =>
  (selectLast.get([])?.[0] ?? firstPosition - 1n) as bigint // an integer or NULL
