import { failure, type Failure } from '../failure.ts'
import type { Appended, Commit, EventStore, NewEvent } from '../ports/event-store.ts'
import { E, type TE } from '../prelude.ts'
import type { Finding } from './finding.ts'
import { standingAfter } from './standing.ts'
import { transcriptCheck, type Logged, type TranscriptPorts } from './transcript-check.ts'
import type { Closing } from './transcript-line.ts'
import type { TranscriptEntry } from './transcript-reader.ts'

export const GROUP_EVENTS = 512
const GROUP_BYTES = 4 * 1024 * 1024
/** Well below the largest commit of any store; an event that is larger has a commit of its own. */
const COMMIT_BYTES = 256 * 1024

/**
 * Reads a transcript, checks closing line, chain and parts, and passes its events to `take` in groups, until there is a finding.
 *
 * @returns the closing line; `STORE_UNREADABLE` with the line if the transcript is not whole; or what `take` failed with
 */
export const groupsOf = async (
  ports: TranscriptPorts,
  entries: AsyncIterable<readonly TranscriptEntry[]>,
  take: (group: readonly Logged[]) => TE.TaskEither<Failure, void>,
): Promise<E.Either<Failure, Closing>> => {
  const findings: Finding[] = []
  const check = transcriptCheck(ports, (finding) => findings.push(finding))
  let closing: Closing | undefined
  let group: Logged[] = []
  let bytes = 0
  const add = (logged: Logged | undefined): void => {
    if (logged === undefined) return
    group.push(logged)
    bytes += lengthOf(logged)
  }
  for await (const batch of entries) {
    for (const entry of batch) {
      add(check.next(entry))
      if (entry._tag === 'closing') closing = entry.closing
      if (group.length < GROUP_EVENTS && bytes < GROUP_BYTES) continue
      if (findings[0] !== undefined) return E.left(notWhole(findings[0]))
      const taken = await take(group)()
      if (E.isLeft(taken)) return taken
      group = []
      bytes = 0
    }
  }
  add(check.end())
  if (findings[0] !== undefined) return E.left(notWhole(findings[0]))
  if (closing === undefined) return E.left(failure('STORE_UNREADABLE', 'the export has no closing line'))
  const taken = await take(group)()
  return E.isLeft(taken) ? taken : E.right(closing)
}

const notWhole = ({ line, code, message }: Finding): Failure =>
  failure('STORE_UNREADABLE', `line ${line}: ${message}`, [{ line, code }])

/** The store that a log is written into. */
export type AppendingStore = Pick<EventStore, 'append'> & {
  readonly capabilities: Pick<EventStore['capabilities'], 'ordersCommits'>
}

/**
 * Appends in commits of consecutive events of one organization, so that positions have the order of the lines. A store that does not order the
 * commits of one call gets calls for one organization only.
 */
export const appendGroup =
  (store: AppendingStore, group: readonly Logged[], what: 'import' | 'copy'): TE.TaskEither<Failure, void> =>
  async () => {
    const commits = commitsOf(group)
    if (commits.length === 0) return E.right(undefined)
    for (const some of store.capabilities.ordersCommits ? [commits] : runsOf(commits)) {
      const appended = await store.append(some.map(({ commit }) => commit))()
      if (E.isLeft(appended)) {
        const { left: cause } = appended
        return E.left({ ...cause, message: `the ${what} stopped at line ${some[0]?.line ?? 0}: ${cause.message}` })
      }
      for (const [index, { line }] of some.entries()) {
        const answer = appended.right[index]
        if (answer?._tag !== 'committed') return E.left(refused(what, line, answer))
      }
    }
    return E.right(undefined)
  }

/** The commits, cut where the organization changes. */
const runsOf = (commits: readonly Lines[]): readonly (readonly Lines[])[] => {
  const runs: Lines[][] = []
  for (const lines of commits) {
    const run = runs.at(-1)
    if (run?.[0]?.commit.organization === lines.commit.organization) run.push(lines)
    else runs.push([lines])
  }
  return runs
}

const lengthOf = ({ bytes, parts }: Logged): number =>
  parts.reduce((sum, part) => sum + part.bytes.length, bytes.length)

/** A commit, and the line that it begins with. */
type Lines = { readonly line: number; length: number; readonly commit: Commit & { readonly events: NewEvent[] } }

const commitsOf = (group: readonly Logged[]): readonly Lines[] => {
  const commits: Lines[] = []
  for (const logged of group) {
    const { line, event, bytes, parts } = logged
    const { id, activity, revision } = event
    const record: NewEvent = { id, activity, revision, line: bytes, parts, standing: standingAfter(event) }
    const length = lengthOf(logged)
    const last = commits.at(-1)
    if (last?.commit.organization === event.organization && last.length + length <= COMMIT_BYTES) {
      last.commit.events.push(record)
      last.length += length
    } else {
      const expected = event.sequence === 1n ? 'none' : event.sequence - 1n
      commits.push({
        line,
        length,
        commit: { organization: event.organization, expected, events: [record], checks: [] },
      })
    }
  }
  return commits
}

const refused = (what: string, line: number, answer: Appended | undefined): Failure => {
  const place = `the ${what} stopped at line ${line}`
  if (answer?._tag === 'too-large')
    return failure('REQUEST_TOO_LARGE', `${place}: the store takes at most ${answer.bytesMax} bytes at once`)
  return answer?._tag === 'invalid'
    ? failure('STORE_UNREADABLE', `${place}: ${answer.reason}`)
    : failure('CONFLICT', `${place}: the store refused it (${answer?._tag ?? 'no answer'})`)
}
