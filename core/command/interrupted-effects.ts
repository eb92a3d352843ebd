import type { Failure } from '../failure.ts'
import { follow } from '../following/follow.ts'
import type { FollowPorts, FollowsLog } from '../following/follower.ts'
import type { Handle } from '../following/handle.ts'
import type { OnParked } from '../following/parked-organizations.ts'
import { millis } from '../log/event.ts'
import type { Digest } from '../ports/digest.ts'
import type { Notice, TellNotice } from '../ports/notice.ts'
import type { RowChange } from '../ports/read-models.ts'
import { E } from '../prelude.ts'
import { describeThrown, type TellThrown } from '../telemetry/tell-thrown.ts'
import type { Troubles } from '../telemetry/troubles.ts'
import type { Organizations } from '../writing/organizations.ts'
import type { ActivityName } from './attempt-turns.ts'
import { hasBegun } from './beginning.ts'
import type { Effects } from './effects.ts'
import { guarded } from './guarded.ts'
import type { ImportedEffects } from './imported-effects.ts'
import { openStarts } from './open-starts.ts'

/**
 * Effects that were started and have no end. The engine takes up some of them, and leaves others to the operator. It takes up the effects that
 * an earlier process of this installation started; each waits for its place with a few hundred bytes. Then it follows the log: if another
 * process started an effect, or nobody learned the outcome of a commit, and there is no end when the next attempt may begin, it takes up
 * that effect, too.
 */
export type InterruptedEffects = FollowsLog & {
  /** The effects that another installation had started before the log was imported. */
  readonly imported: () => Promise<E.Either<Failure, readonly ActivityName[]>>
  /** Takes up one of the imported effects, or all of them. Gives how many. */
  readonly resumeImported: (which?: ActivityName) => Promise<E.Either<Failure, number>>
  /**
   * Lets one of the imported effects fail, or all of them. Gives how many. One that has begun an organization cannot fail: it is taken up, and
   * completes.
   */
  readonly failImported: (which?: ActivityName) => Promise<E.Either<Failure, number>>
}

type Ports = Pick<FollowPorts, 'storage' | 'clock' | 'commits'> & {
  readonly organizations: Pick<Organizations, 'fresh'>
  readonly digest: Digest
  readonly effects: Pick<Effects, 'resume' | 'interrupt'>
  readonly imported: ImportedEffects
  readonly notice: TellNotice
  readonly tell: TellThrown
  readonly parkings: Pick<Troubles, 'note'>
}

const PAGE = 100

export const interruptedEffects = (ports: Ports): InterruptedEffects => {
  const { storage, clock, commits, effects, imported, notice, tell, parkings } = ports
  const { store } = storage
  const open = openStarts(clock, ({ organizationId, activityId }) => effects.resume(organizationId, activityId))
  let followed: { readonly close: () => Promise<void> } | undefined
  let isClosed = false

  // Effects that this process runs are noted, too. `resume` does nothing for them while they run or wait here.
  const note: Handle = (event, position) => {
    const { organization: organizationId, activity: activityId } = event
    if (event.type === 'ActivityStarted') {
      if (position > imported.position())
        open.note({ organizationId, activityId }, dueAt(event.data.resumeAt, event.at))
    } else if (event.revision > 2n) open.forget({ organizationId, activityId }) // else it was never started
    return NO_ROWS
  }

  /** Whoever started it may have a clock that is far ahead, but its pause is right: the time of an event is that of its writer, or a later one. */
  const dueAt = (resumeAt: string, at: string): number => {
    const pauseMs = millis(resumeAt) - millis(at)
    return pauseMs < 0 ? millis(resumeAt) : Math.min(millis(resumeAt), clock.now() + pauseMs)
  }

  const onParked: OnParked = ({ organization, sequence }, thrown) =>
    parkings.note('interrupted effects', () => ({
      level: 'error',
      message:
        'effects of an organization are not taken up, because its log has an event that this version cannot read',
      context: { organization, sequence: String(sequence), ...describeThrown(thrown) },
    }))

  /** What was started before is `PENDING` in the store. */
  const beginToFollow = async (): Promise<E.Either<Failure, void>> => {
    const last = await store.lastPosition()()
    if (E.isLeft(last)) return last
    const options = {
      after: last.right,
      types: TYPES,
      parts: false,
      handle: note,
      isDurable: false,
      onRewound: () => void seek(),
    }
    const begun = await follow({ storage, clock, commits, tell, onParked }, 'interrupted-effects', options)
    if (E.isLeft(begun)) return begun
    if (isClosed) await begun.right.close()
    followed = begun.right
    return E.right(undefined)
  }

  /** All activities with effects that were started and have no end, in the order of their first events. */
  const all = async (take: (one: ActivityName, areTheirs: boolean) => void): Promise<E.Either<Failure, void>> => {
    for (let after = 0n; ;) {
      const page = await store.pending(after, PAGE)()
      if (E.isLeft(page)) return page
      for (const { organization: organizationId, activity: activityId, position } of page.right) {
        after = position
        const mayBeTheirs = position <= imported.position()
        const theirs = mayBeTheirs ? await imported.areTheirs({ organizationId, activityId }) : E.right(false)
        if (E.isLeft(theirs)) return theirs
        take({ organizationId, activityId }, theirs.right)
      }
      if (page.right.length < PAGE) return E.right(undefined)
    }
  }

  const waiting = async (): Promise<E.Either<Failure, readonly ActivityName[]>> => {
    const found: ActivityName[] = []
    const looked = await all((one, areTheirs) => {
      if (areTheirs) found.push(one)
    })
    return E.map(() => found)(looked)
  }

  const meant = async (which: ActivityName | undefined): Promise<E.Either<Failure, readonly ActivityName[]>> =>
    E.map((found: readonly ActivityName[]) =>
      which === undefined
        ? found
        : found.filter(
            ({ organizationId, activityId }) =>
              organizationId === which.organizationId && activityId === which.activityId,
          ),
    )(await waiting())

  const takeUp = async (): Promise<E.Either<Failure, void>> => {
    const following = followed === undefined ? await beginToFollow() : E.right(undefined)
    if (E.isLeft(following)) return following
    let others = 0
    const looked = await all(({ organizationId, activityId }, areTheirs) => {
      if (areTheirs) others += 1
      else effects.resume(organizationId, activityId)
    })
    if (E.isRight(looked) && others > 0) notice(noticeOf(others))
    return looked
  }

  /** Repeats the search until it succeeds: if the store does not answer at the start, interrupted effects must not wait for ever. */
  const seek = async (): Promise<void> => {
    for (let tries = 1; ; tries += 1) {
      const taken = await guarded(tell)('the search for interrupted effects', takeUp)()
      if (E.isRight(taken) || isClosed) return
      const { code, message } = taken.left
      if (tries === 1)
        notice({ level: 'error', message: `cannot look for interrupted effects yet: ${message}`, context: { code } })
      await new Promise<void>((resolve) => void clock.after(LOOK_AGAIN_AFTER_MS, resolve))
    }
  }

  void seek()
  return {
    startOver: seek,
    imported: waiting,
    resumeImported: async (which) => {
      const found = await meant(which)
      if (E.isLeft(found)) return found
      const released = which === undefined ? await imported.releaseAll() : E.right(imported.release(which))
      if (E.isLeft(released)) return released
      for (const { organizationId, activityId } of found.right) effects.resume(organizationId, activityId)
      return E.right(found.right.length)
    },
    failImported: async (which) => {
      const found = await meant(which)
      if (E.isLeft(found)) return found
      let failed = 0
      for (const activity of found.right) {
        const begun = await hasBegun(ports, activity.activityId)
        if (E.isLeft(begun)) return begun
        if (begun.right) {
          imported.release(activity)
          effects.resume(activity.organizationId, activity.activityId)
        } else if (await effects.interrupt(activity)) failed += 1
      }
      return E.right(failed)
    },
    close: async () => {
      isClosed = true
      open.close()
      await followed?.close()
    },
  }
}

const TYPES = ['ActivityStarted', 'ActivityCompleted', 'ActivityFailed'] as const
const LOOK_AGAIN_AFTER_MS = 1_000
const NO_ROWS: readonly RowChange[] = []

const noticeOf = (effects: number): Notice => ({
  level: 'warn',
  message:
    'effects that another installation had started wait, because their outcome is not known here: ' +
    'take them up with engine.resumeImported(), or let them fail with engine.failImported()',
  context: { effects },
})
