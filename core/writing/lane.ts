import { failure, type Failure } from '../failure.ts'
import type { Clock } from '../ports/clock.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import type { Appended, Commit, EventStore } from '../ports/event-store.ts'
import { E } from '../prelude.ts'
import { spanned } from '../telemetry/measured.ts'

/** The outcome of a commit: the answer of the store, or a failure where the store was not asked or its answer is not known. */
export type AppendOutcome = E.Either<Failure, Appended>

/**
 * The writer of a process: it commits in groups, in order. While one group is on its way to the disk the next one
 * gathers, so that a busy process pays for one fsync per group and not per commit.
 */
export type Lane = {
  readonly append: (commit: Commit, onOutcome: (outcome: AppendOutcome) => void) => void
  /** Resolves when nothing is queued or under way. */
  readonly idle: () => Promise<void>
}

export type LaneOptions = {
  /** Commits per group. */
  readonly groupMax?: number
  /** How often the lane appends a group again whose outcome is unknown, before it gives up. */
  readonly retriesMax?: number
  /** The first pause before appending again; it doubles. */
  readonly retryAfterMs?: number
}

type Waiting = { readonly commit: Commit; readonly onOutcome: (outcome: AppendOutcome) => void }

/** A commit that was decided on one that was refused. */
const overtaken: AppendOutcome = E.left(failure('CONFLICT', 'decided on a commit that was refused'))

export const lane = (
  {
    store,
    clock,
    telemetry,
  }: { readonly store: EventStore; readonly clock: Clock; readonly telemetry?: Telemetry | undefined },
  { groupMax = 256, retriesMax = 6, retryAfterMs = 20 }: LaneOptions = {},
): Lane => {
  let queue: Waiting[] = []
  let running = false
  let idlers: (() => void)[] = []

  const run = async (): Promise<void> => {
    while (queue.length > 0) {
      const group = queue.slice(0, groupMax)
      queue = queue.slice(groupMax)
      telemetry?.record('countersign.append.group', group.length, {})
      const commits = group.map(({ commit }) => commit)
      const appended = await spanned(telemetry, 'countersign.append', { commits: group.length }, () =>
        appendGroup(commits),
      )
      tellGroup(group, appended)
    }
    running = false
    const resolved = idlers
    idlers = []
    for (const resolve of resolved) resolve()
  }

  // Event ids stay the same in each retry. So a retry also finds out whether an earlier one had succeeded.
  const appendGroup = async (commits: readonly Commit[]): Promise<E.Either<Failure, readonly Appended[]>> => {
    let pauseMs = retryAfterMs
    for (let retry = 0; ; retry += 1) {
      const appended = await attempted(commits)
      if (E.isRight(appended) || appended.left.code !== 'UNAVAILABLE' || retry >= retriesMax) return appended
      await new Promise<void>((resolve) => clock.after(pauseMs, resolve, true))
      pauseMs *= 2
    }
  }

  // When a store throws, the outcome is as unknown as when it does not answer.
  const attempted = async (commits: readonly Commit[]): Promise<E.Either<Failure, readonly Appended[]>> => {
    try {
      return await store.append(commits)()
    } catch {
      return E.left(failure('UNAVAILABLE', 'the store threw'))
    }
  }

  const tellGroup = (group: readonly Waiting[], appended: E.Either<Failure, readonly Appended[]>): void => {
    const refused = new Set<string>()
    group.forEach(({ commit, onOutcome }, index) => {
      const outcome: AppendOutcome = E.isLeft(appended) ? appended : outcomeOf(appended.right[index])
      if (E.isLeft(outcome) || !isDurable(outcome.right)) refused.add(commit.organization)
      onOutcome(outcome)
    })
    if (refused.size === 0) return
    // A commit behind a refused one was decided on a state that never came to be, if it continues or read that organization. It
    // must not reach the store: after an append of another process, the sequence that it expects might even fit.
    const [behind, sound]: [Waiting[], Waiting[]] = [[], []]
    for (const waiting of queue) {
      const { organization, checks } = waiting.commit
      const isBehind = refused.has(organization) || checks.some((check) => refused.has(check.organization))
      if (isBehind) refused.add(organization)
      ;(isBehind ? behind : sound).push(waiting)
    }
    queue = sound
    for (const { onOutcome } of behind) onOutcome(overtaken)
  }

  return {
    append: (commit, onOutcome) => {
      queue.push({ commit, onOutcome })
      if (running) return
      running = true
      // Commits that are decided before this microtask runs join the first group.
      queueMicrotask(() => void run())
    },
    idle: () => (running ? new Promise((resolve) => idlers.push(resolve)) : Promise.resolve()),
  }
}

const outcomeOf = (appended: Appended | undefined): AppendOutcome =>
  appended === undefined
    ? E.left(failure('INTERNAL', 'the store answered fewer commits than it was given'))
    : E.right(appended)

/** Whether the commit is in the log for good. */
export const isDurable = (
  appended: Appended,
): appended is Extract<Appended, { readonly position: bigint; readonly _tag: 'committed' | 'duplicate' }> =>
  appended._tag === 'committed' || appended._tag === 'duplicate'
