import { appendRules, type Known, type LogEnd, type Lookups } from '../../core/ports/append-rules.ts'
import type { Appended, Commit } from '../../core/ports/event-store.ts'
import { groupRows, type GroupRows } from './group-rows.ts'

/** What the store had when the lock was taken, as far as the commits of a group concern it. */
export type Found = {
  readonly lastPosition: bigint | undefined
  readonly lastKey: bigint
  readonly heads: ReadonlyMap<string, LogEnd & { readonly key: bigint }>
  /** By the name that `streamOf` gives. */
  readonly revisions: ReadonlyMap<string, bigint>
  readonly known: ReadonlyMap<string, Known>
  /** Whether the ids of all events, and the revisions of a stream, were looked up: then what is not there, the store has not. */
  readonly knows: { readonly ids: boolean; readonly revision: (stream: string) => boolean }
}

export type Numbering = {
  readonly commitBytesMax: number
  readonly firstPosition: bigint
  readonly firstSequence: bigint
}

export type Judged = {
  /** For each call, the outcomes of its commits. */
  readonly answers: readonly (readonly Appended[])[]
  readonly rows: GroupRows
  /** The position of the last event of the store. */
  readonly lastPosition: bigint
}

/** The name of an activity's stream. As JSON, two different pairs never have the same name. */
export const streamOf = (organization: string, activity: string): string => JSON.stringify([organization, activity])

/**
 * Decides about the commits of several calls, one call behind the other, and numbers the events of those that are accepted.
 *
 * @returns `undefined` if it needs to know more than was looked up
 */
export const judgeGroup = (
  calls: readonly (readonly Commit[])[],
  found: Found,
  numbering: Numbering,
): Judged | undefined => {
  const { firstPosition, firstSequence, commitBytesMax } = numbering
  const heads = new Map(found.heads)
  const revisions = new Map(found.revisions)
  const known = new Map(found.known)
  const rows = groupRows()
  let last = found.lastPosition ?? firstPosition - 1n
  let lastKey = found.lastKey
  let isMissing = false

  const look: Lookups = {
    head: (organization) => heads.get(organization) ?? NO_LOG,
    revision: (organization, activity) => {
      const stream = streamOf(organization, activity)
      const revision = revisions.get(stream)
      if (revision === undefined && !found.knows.revision(stream)) isMissing = true
      return revision ?? 0n
    },
    recorded: (id) => {
      const recorded = known.get(id)
      if (recorded === undefined && !found.knows.ids) isMissing = true
      return recorded
    },
  }

  const accept = ({ organization, events }: Commit): Appended => {
    const head = heads.get(organization)
    const key = head?.key ?? ++lastKey
    if (head === undefined) rows.addOrganization(key, organization)
    let sequence = head === undefined ? firstSequence - 1n : head.sequence
    for (const event of events) {
      sequence++
      last++
      revisions.set(streamOf(organization, event.activity), event.revision)
      known.set(event.id, { organization, sequence, position: last, line: event.line })
      rows.addEvent({ key, organization, sequence, position: last }, event)
    }
    heads.set(organization, { key, sequence, position: last, id: events.at(-1)?.id })
    return { _tag: 'committed', sequence, position: last }
  }

  const answers = calls.map((commits) => {
    const refusal = appendRules(look, { bytesMax: commitBytesMax, trusting: !found.knows.ids })
    return commits.map((commit) => refusal(commit) ?? accept(commit))
  })
  return isMissing ? undefined : { answers, rows, lastPosition: last }
}

const NO_LOG: LogEnd = { sequence: 0n, position: 0n }
