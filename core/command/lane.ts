import { failure, type Failure } from '../failure.ts'
import type { Clock } from '../ports/clock.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import type { Appended, Commit, EventStore } from '../ports/event-store.ts'
import { E } from '../prelude.ts'
import { spanned } from './measured.ts'

/** What became of a commit: what the store said, or a failure when it was never tried or its fate could not be learned. */
export type Fate = E.Either<Failure, Appended>

/**
 * The writer of a process: it commits in groups, in order. While one group is on its way to the disk the next one
 * gathers, so that a busy process pays for one fsync per group and not per commit.
 */
export type Lane = {
  readonly append: (commit: Commit, settle: (fate: Fate) => void) => void
  /** Resolves when nothing is queued or under way. */
  readonly idle: () => Promise<void>
}

export type LaneOptions = {
  /** Commits per group. */
  readonly groupMax?: number
  /** How often a group whose fate is unknown is appended again before the lane gives up. */
  readonly retriesMax?: number
  /** The first pause before appending again; it doubles. */
  readonly retryAfterMs?: number
}

type Waiting = { readonly commit: Commit; readonly settle: (fate: Fate) => void }

/** A commit that was decided on one that was refused. */
const overtaken: Fate = E.left(failure('CONFLICT', 'decided on a commit that was refused'))

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
      settleGroup(group, appended)
    }
    running = false
    const resolved = idlers
    idlers = []
    for (const resolve of resolved) resolve()
  }

  // Event ids are stable over retries: appending again finds out whether the first time succeeded.
  const appendGroup = async (commits: readonly Commit[]): Promise<E.Either<Failure, readonly Appended[]>> => {
    let pauseMs = retryAfterMs
    for (let retry = 0; ; retry += 1) {
      const appended = await attempted(commits)
      if (E.isRight(appended) || appended.left.code !== 'UNAVAILABLE' || retry >= retriesMax) return appended
      await new Promise<void>((resolve) => clock.after(pauseMs, resolve))
      pauseMs *= 2
    }
  }

  // A store that throws says as little of the outcome as one that does not answer.
  const attempted = async (commits: readonly Commit[]): Promise<E.Either<Failure, readonly Appended[]>> => {
    try {
      return await store.append(commits)()
    } catch {
      return E.left(failure('UNAVAILABLE', 'the store threw'))
    }
  }

  const settleGroup = (group: readonly Waiting[], appended: E.Either<Failure, readonly Appended[]>): void => {
    const refused = new Set<string>()
    group.forEach(({ commit, settle }, index) => {
      const fate: Fate = E.isLeft(appended) ? appended : fateOf(appended.right[index])
      if (E.isLeft(fate) || !isDurable(fate.right)) refused.add(commit.organization)
      settle(fate)
    })
    if (refused.size === 0) return
    // Whatever an organization's commits behind a refused one say was decided on a state that never came to be. They
    // must not reach the store: after another process's append their expected sequence might even fit.
    const behind = queue.filter(({ commit }) => refused.has(commit.organization))
    queue = queue.filter(({ commit }) => !refused.has(commit.organization))
    for (const { settle } of behind) settle(overtaken)
  }

  return {
    append: (commit, settle) => {
      queue.push({ commit, settle })
      if (running) return
      running = true
      // Whatever is decided before the process comes round to this joins the first group.
      queueMicrotask(() => void run())
    },
    idle: () => (running ? new Promise((resolve) => idlers.push(resolve)) : Promise.resolve()),
  }
}

const fateOf = (appended: Appended | undefined): Fate =>
  appended === undefined
    ? E.left(failure('INTERNAL', 'the store answered fewer commits than it was given'))
    : E.right(appended)

/** Whether the commit is in the log for good. */
export const isDurable = (
  appended: Appended,
): appended is Extract<Appended, { readonly position: bigint; readonly _tag: 'committed' | 'duplicate' }> =>
  appended._tag === 'committed' || appended._tag === 'duplicate'
