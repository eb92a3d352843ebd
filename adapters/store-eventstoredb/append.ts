import { isOrganizationId, type Known } from '../../core/ports/append-rules.ts'
import { LINES, type Appended, type Commit } from '../../core/ports/event-store.ts'
import { refuse } from '../../core/ports/refusal.ts'
import { crashPoint } from '../crash-point.ts'
import type { ActivityIndex } from './activity-index.ts'
import { eachOf } from './bounded.ts'
import type { ActivityRow } from './index-rows.ts'
import { isOfLog, judge, notReadable, notStored, UNKNOWN, type Entry, type Facts, type Judged } from './judge.ts'
import type { LogReader } from './log-reader.ts'
import { sequencesOf, type HeldTail, type Tails } from './tails.ts'
import type { WriteRun } from './write-run.ts'

/** What became of a call: the outcomes of its commits, or why it failed. */
export type Outcome = { readonly answers: readonly Appended[] } | { readonly error: unknown }

/** A group whose writing has ended. The outcomes come when the positions are known that no append told. */
export type WrittenGroup = {
  readonly outcomes: Promise<readonly Outcome[]>
  /** The position of the last event that was written, if any was. */
  readonly wroteTo: bigint | undefined
}

/** Judges and writes the commits of several calls. */
export type WriteGroup = (calls: readonly (readonly Commit[])[]) => Promise<WrittenGroup>

export type GroupPorts = {
  readonly reader: LogReader
  readonly index: Pick<ActivityIndex, 'activity'>
  readonly tails: Tails
  readonly writeRun: WriteRun
  readonly commitBytesMax: number
}

/** How often a group is judged: each time, another process may have been faster. */
const ATTEMPTS_MAX = 100
const ROWS_AT_ONCE = 16

export const groupWriter = (ports: GroupPorts): WriteGroup => {
  const { tails } = ports

  return async (calls) => {
    const entries = calls.flatMap((commits, call) =>
      commits.map((commit): Entry => ({ call, commit, outcome: undefined })),
    )
    const held = new Map<string, HeldTail>()
    let wroteTo: bigint | undefined
    try {
      wroteTo = await settle(ports, entries, held)
    } catch (error) {
      // What was written already stays so; everything else fails.
      for (const entry of entries) entry.outcome ??= { _tag: 'failed', error }
    } finally {
      for (const { release } of held.values()) release()
    }
    const outcomes = answered(calls.length, entries)
    outcomes.catch(() => undefined)
    return { outcomes, wroteTo }
  }

  async function answered(count: number, entries: readonly Entry[]): Promise<readonly Outcome[]> {
    const outcomes = Array.from({ length: count }, (): { answers: Appended[]; error?: unknown } => ({ answers: [] }))
    for (const { call, commit, outcome } of entries) {
      const given = outcomes[call]
      if (given === undefined || 'error' in given) continue
      try {
        given.answers.push(await answerOf(ports.reader, commit, outcome))
      } catch (error) {
        given.error = error
        tails.drop(commit.organization)
      }
    }
    return outcomes
  }
}

/** The outcome of a commit; waits for its position, or reads it. */
const answerOf = async (
  reader: Pick<LogReader, 'positions'>,
  { organization }: Commit,
  outcome: Entry['outcome'],
): Promise<Appended> => {
  if (outcome === undefined) throw refuse('UNAVAILABLE', 'other processes kept appending to the same logs: try again')
  if (outcome._tag === 'failed') throw outcome.error
  if (outcome._tag === 'written')
    return { _tag: 'committed', sequence: outcome.sequence, position: await outcome.position }
  const { answer } = outcome
  if (!('position' in answer) || answer.position !== UNKNOWN) return answer
  const [position] = await reader.positions(organization, answer.sequence, 1)
  if (position === undefined) throw notReadable()
  return { ...answer, position }
}

/** Judges and writes until every commit has an outcome. Gives the last position that was written. */
const settle = async (
  ports: GroupPorts,
  entries: readonly Entry[],
  held: Map<string, HeldTail>,
): Promise<bigint | undefined> => {
  let wroteTo: bigint | undefined
  let isCareful = false
  let attempts = 0
  while (attempts < ATTEMPTS_MAX) {
    const open = entries.filter(({ outcome }) => outcome === undefined)
    if (open.length === 0) break
    await holdAll(ports, open, held, isCareful)
    const facts = await factsOf(ports, open, held, isCareful)
    if (facts === undefined) {
      isCareful = true
      attempts += 1
      continue
    }
    const judged = judge(open, facts, ports.commitBytesMax)
    // What is refused may be so because of what another process has appended: then its numbers are needed.
    if (!isCareful && judged.refused.some(({ answer }) => isOfLog(answer))) {
      isCareful = true
      continue
    }
    for (const { entry, answer } of judged.refused) entry.outcome = { _tag: 'refused', answer }
    crashPoint('before-append')
    const written = await writeAll(ports, judged, held)
    crashPoint('after-append')
    if (written.position !== undefined && written.position > (wroteTo ?? 0n)) wroteTo = written.position
    if (!written.isWhole) {
      // Only what is judged anew is refused for good.
      for (const { entry, answer } of judged.refused) if (isOfLog(answer)) entry.outcome = undefined
      isCareful = true
      attempts += 1
      if (attempts > 2) await pause(attempts)
    }
  }
  return wroteTo
}

/** Two processes that keep overtaking each other: the one that waits a little longer lets the other one finish. */
const pause = (attempts: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(attempts, 20)))

const writeAll = async (
  { writeRun, tails }: GroupPorts,
  { accepted }: Judged,
  held: Map<string, HeldTail>,
): Promise<{ readonly isWhole: boolean; readonly position: bigint | undefined }> => {
  const runs = await Promise.all(
    [...accepted].map(async ([organization, list]) => {
      const tail = held.get(organization)
      if (tail === undefined) return { isWhole: false, position: undefined }
      const run = await writeRun(organization, list, tail)
      if (run.isOutdated === true) {
        tail.release()
        held.delete(organization)
        tails.drop(organization)
      }
      return run
    }),
  )
  let position: bigint | undefined
  for (const run of runs) if (run.position !== undefined && run.position > (position ?? 0n)) ({ position } = run)
  return { isWhole: runs.every(({ isWhole }) => isWhole), position }
}

/** The organizations of commits, and those that they check: what is checked is always read anew. */
const organizationsOf = (entries: readonly Entry[], isCareful: boolean): ReadonlyMap<string, boolean> => {
  const found = new Map<string, boolean>()
  for (const { commit } of entries) {
    if (isOrganizationId(commit.organization) && !found.has(commit.organization))
      found.set(commit.organization, isCareful)
    for (const { organization } of commit.checks) if (isOrganizationId(organization)) found.set(organization, true)
  }
  return found
}

const holdAll = async (
  { tails }: GroupPorts,
  open: readonly Entry[],
  held: Map<string, HeldTail>,
  isCareful: boolean,
): Promise<void> => {
  await eachOf([...organizationsOf(open, isCareful)], ROWS_AT_ONCE, async ([organization, isFresh]) => {
    const known = held.get(organization)
    if (known !== undefined && !isFresh) return
    known?.release()
    held.delete(organization)
    try {
      held.set(organization, await tails.hold(organization, isFresh))
    } catch (error) {
      for (const entry of open) if (touches(entry.commit, organization)) entry.outcome ??= notStored(error)
    }
  })
}

const touches = ({ organization, checks }: Commit, of: string): boolean =>
  organization === of || checks.some((check) => check.organization === of)

/** Reads what the judge asks for; `undefined` if the index was moved back meanwhile, so that tails have to be read again. */
const factsOf = async (
  { index, tails, reader }: GroupPorts,
  entries: readonly Entry[],
  held: ReadonlyMap<string, HeldTail>,
  isCareful: boolean,
): Promise<Facts | undefined> => {
  const open = entries.filter(({ outcome }) => outcome === undefined)
  const pairs = new Map<
    string,
    { readonly organization: string; readonly activity: string; row?: ActivityRow | undefined }
  >()
  for (const { commit } of open)
    for (const { activity } of commit.events)
      if (isOrganizationId(commit.organization))
        pairs.set(keyOf(commit.organization, activity), { organization: commit.organization, activity })
  let isLooked = false
  await eachOf([...pairs.values()], ROWS_AT_ONCE, async (pair) => {
    const tail = held.get(pair.organization)
    if (tail === undefined || tail.lacks(pair.activity)) return
    if (!isCareful && tail.events(pair.activity).length > 0) return
    isLooked = true
    pair.row = await index.activity(pair.organization, pair.activity)
    if (pair.row === undefined && tail.events(pair.activity).length === 0) tail.missed()
  })
  if (!isLooked) tails.glance()
  else {
    const state = await tails.check()
    const moved = [...held].filter(([, tail]) => !tail.fits(state))
    for (const [organization] of moved) tails.drop(organization)
    if (moved.length > 0) return undefined
  }
  const sequences = (organization: string, activity: string): readonly bigint[] => {
    const tail = held.get(organization)
    return tail === undefined ? [] : sequencesOf(pairs.get(keyOf(organization, activity))?.row, tail, activity)
  }
  const known = isCareful ? await recordedOf(reader, open, sequences) : new Map<string, Known>()
  return {
    end: (organization) => held.get(organization)?.end() ?? { sequence: 0n, position: 0n },
    revision: (organization, activity) => {
      const last = held.get(organization)?.events(activity).at(-1)?.revision
      return last ?? BigInt(pairs.get(keyOf(organization, activity))?.row?.sequences.length ?? 0)
    },
    recorded: (organization, id) => known.get(keyOf(organization, id)),
  }
}

const keyOf = (organization: string, name: string): string => JSON.stringify([organization, name])

/** The events that stand where those of the commits would: a commit that is repeated is recognized by them, as long as the log exists. */
const recordedOf = async (
  reader: LogReader,
  open: readonly Entry[],
  sequences: (organization: string, activity: string) => readonly bigint[],
): Promise<ReadonlyMap<string, Known>> => {
  const wanted = new Map<string, Set<bigint>>()
  for (const { commit } of open)
    for (const { activity, revision } of commit.events) {
      const sequence = sequences(commit.organization, activity)[Number(revision) - 1]
      if (sequence === undefined) continue
      const own = wanted.get(commit.organization) ?? new Set()
      wanted.set(commit.organization, own.add(sequence))
    }
  const known = new Map<string, Known>()
  await eachOf([...wanted], ROWS_AT_ONCE, async ([organization, own]) => {
    const inOrder = [...own].toSorted((a, b) => (a < b ? -1 : 1))
    for (const { id, sequence, position, line } of await reader.readAt(organization, inOrder, LINES))
      known.set(keyOf(organization, id), { organization, sequence, position, line })
  })
  return known
}
