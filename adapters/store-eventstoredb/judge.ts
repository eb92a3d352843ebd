import { appendRules, type Known, type LogEnd, type Refused } from '../../core/ports/append-rules.ts'
import type { Commit } from '../../core/ports/event-store.ts'
import { Refusal, refuse } from '../../core/ports/refusal.ts'

/** A commit of a group, with what has become of it. */
export type Entry = {
  readonly call: number
  readonly commit: Commit
  outcome: CommitOutcome | undefined
}
export type CommitOutcome =
  /** `sequence` is that of its last event, and the position, too; it is read if the append did not tell it. */
  | { readonly _tag: 'written'; readonly sequence: bigint; readonly position: bigint | Promise<bigint> }
  | { readonly _tag: 'refused'; readonly answer: Refused }
  | { readonly _tag: 'failed'; readonly error: unknown }

/** What was read before judging. */
export type Facts = {
  readonly end: (organization: string) => LogEnd
  readonly revision: (organization: string, activity: string) => bigint
  readonly recorded: (organization: string, id: string) => Known | undefined
}

/** A commit that fits, and the sequence behind which it stands. */
export type Accepted = { readonly entry: Entry; readonly after: bigint }

export type Judged = {
  /** In their order, for each organization. */
  readonly accepted: ReadonlyMap<string, readonly Accepted[]>
  readonly refused: readonly { readonly entry: Entry; readonly answer: Refused }[]
}

/** In place of the position of an event that is not written yet, or was not read: its sequence tells which one it is. */
export const UNKNOWN = -1n

/**
 * Judges the commits of a group that have no outcome yet, in their order, until one checks an organization that an accepted commit is about to
 * change: that one has to be written first.
 */
export const judge = (entries: readonly Entry[], facts: Facts, bytesMax: number): Judged => {
  const ends = new Map<string, LogEnd>()
  const revisions = new Map<string, bigint>()
  const added = new Map<string, Known>()
  const accepted = new Map<string, Accepted[]>()
  const refused: { readonly entry: Entry; readonly answer: Refused }[] = []
  const key = (organization: string, activity: string): string => JSON.stringify([organization, activity])
  const head = (organization: string): LogEnd => ends.get(organization) ?? facts.end(organization)

  let own = ''
  const look = {
    head,
    revision: (organization: string, activity: string) =>
      revisions.get(key(organization, activity)) ?? facts.revision(organization, activity),
    recorded: (id: string) => added.get(id) ?? facts.recorded(own, id),
  }
  const rules = new Map<number, ReturnType<typeof appendRules>>()

  const accept = (entry: Entry): void => {
    const { organization, events } = entry.commit
    let { sequence } = head(organization)
    const list = accepted.get(organization) ?? []
    accepted.set(organization, list)
    list.push({ entry, after: sequence })
    for (const { id, activity, revision, line } of events) {
      sequence += 1n
      revisions.set(key(organization, activity), revision)
      added.set(id, { organization, sequence, position: UNKNOWN, line })
      ends.set(organization, { sequence, position: UNKNOWN, id })
    }
  }

  for (const entry of entries) {
    if (entry.outcome !== undefined) continue
    const { commit, call } = entry
    if (commit.checks.some(({ organization }) => accepted.has(organization))) break
    const rule = rules.get(call) ?? appendRules(look, { bytesMax })
    rules.set(call, rule)
    own = commit.organization
    const answer = rule(commit)
    if (answer === undefined) accept(entry)
    else refused.push({ entry, answer })
  }
  return { accepted, refused }
}

/** Whether the refusal depends on what stands in the log. */
export const isOfLog = ({ _tag }: Refused): boolean => _tag !== 'invalid' && _tag !== 'too-large'

/** The server has acknowledged an event, and does not show it. */
export const notReadable = (): Refusal => refuse('UNAVAILABLE', 'what was appended cannot be read yet: try again')

/** An organization whose log cannot be read refuses its own commits, and no others of the call. */
export const notStored = (error: unknown): CommitOutcome =>
  error instanceof Refusal && error.failure.code === 'STORE_UNREADABLE'
    ? { _tag: 'refused', answer: { _tag: 'invalid', reason: error.failure.message } }
    : { _tag: 'failed', error }
