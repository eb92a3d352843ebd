import { heldForEver, type Held, type Leasing } from '../leasing/leasing.ts'
import type { Clock } from '../ports/clock.ts'
import type { ReadModels } from '../ports/read-models.ts'
import { E } from '../prelude.ts'

/**
 * Says whether this process runs a follower, where several processes could: the one that holds the lease of its name does. If that one stores
 * nothing although somebody waits here, this process runs it without the lease, until another one moves the checkpoint. That is never
 * wrong, because each move says from where.
 */
export type Holder = {
  /** Whether other processes may wait for the checkpoint. */
  readonly isShared: boolean
  readonly isHere: () => boolean
  /** The lease under which it runs here; one without end where one process has the store. */
  readonly held: () => Held | undefined
  /** Whether it is time to ask for the lease. */
  readonly isDue: () => boolean
  /** Asks for the lease; if somebody else has it, it is asked for again later. */
  readonly ask: () => Promise<void>
  /**
   * To be called before a look at the checkpoint, while it runs elsewhere. If somebody waits still, what it returns gives the pause before the
   * next look: 0 if there may be news already.
   */
  readonly look: () => (hasMoved: boolean) => number
  /**
   * Whether it runs elsewhere, and a checkpoint was moved since the last look: also backwards, where the rows of a store that lost its end are
   * built again.
   */
  readonly mayBeBehind: () => boolean
  /** Another process has moved the checkpoint. */
  readonly moved: () => void
  /** Gives the lease up. */
  readonly close: () => Promise<void>
}

/** What a follower shares with those of other processes. */
type Shared = {
  readonly leasing: Pick<Leasing, 'hold' | 'askAgainMs'>
  readonly readModels: Pick<ReadModels, 'watch'>
}

type Told = {
  /** Whether somebody waits here. */
  readonly isAwaited: () => boolean
  /** It runs here from now on, and somebody else ran it until now. */
  readonly onTaken: () => void
  /** Time to look whether the store still has what was stored last: a failover may have lost rows and no event. */
  readonly onDoubt: () => void
  /** The lease was lost: work under way is to be stopped. */
  readonly onLost: () => void
  /** It may be time to ask for the lease, or to look at the checkpoint. */
  readonly onNews: () => void
}

/** How long somebody waits for a checkpoint that does not move. */
const STOOD_MS = 1_000
/** The pause between two looks: the longer, the longer nothing has moved. */
const [SHORT_MS, LONG_MS] = [10, 200]

/**
 * @param name  the name under which the follower stores its checkpoint
 * @param shared  without this, every process runs every follower
 */
export const holderOf = (
  name: string,
  clock: Pick<Clock, 'after'>,
  shared: Shared | undefined,
  { isAwaited, onTaken, onDoubt, onLost, onNews }: Told,
): Holder => {
  if (shared === undefined) return everywhere
  let held: Held | undefined
  let isSubstitute = false
  let isDue = true
  let isClosed = false
  let stopAsking = nothing
  let stopWaiting: (() => void) | undefined
  let nextMs = SHORT_MS
  /** Whether a checkpoint was moved since the last look, perhaps this one. */
  let isTold = false

  const isHere = (): boolean => held !== undefined || isSubstitute
  const hear = (): void => {
    isTold = true
    if (!isHere() && isAwaited()) onNews()
  }
  let stopHearing: (() => void) | undefined

  const askLater = (): void => {
    if (isClosed) return
    stopAsking = clock.after(shared.leasing.askAgainMs, () => {
      isDue = true
      onNews()
    })
  }

  const doubtLater = (): void => {
    stopAsking = clock.after(shared.leasing.askAgainMs, () => {
      onDoubt()
      doubtLater()
    })
  }

  const end = (): void => {
    held = undefined
    stopAsking()
    onLost()
    askLater()
  }

  const waitNoMore = (): void => {
    stopWaiting?.()
    stopWaiting = undefined
    nextMs = SHORT_MS
  }

  const beHere = (): void => {
    waitNoMore()
    onTaken()
  }

  return {
    isShared: true,
    isHere,
    held: () => held,
    isDue: () => isDue,
    ask: async () => {
      isDue = false
      stopHearing ??= shared.readModels.watch?.(hear)
      const taken = await shared.leasing.hold(`follower ${name}`)
      if (E.isLeft(taken) || taken.right === undefined) return askLater()
      const { lost, giveUp } = taken.right
      if (isClosed) return giveUp()
      if (lost.aborted) return askLater()
      held = taken.right
      lost.addEventListener('abort', end, { once: true })
      isSubstitute = false
      doubtLater()
      beHere()
    },
    mayBeBehind: () => isTold && !isHere(),
    look: () => {
      isTold = false
      return (hasMoved) => {
        nextMs = hasMoved ? SHORT_MS : Math.min(2 * nextMs, LONG_MS)
        stopWaiting ??= clock.after(STOOD_MS, () => {
          stopWaiting = undefined
          isSubstitute = isAwaited()
          if (isSubstitute) beHere()
        })
        return isTold ? 0 : nextMs
      }
    },
    moved: () => {
      isSubstitute = false
      waitNoMore()
    },
    close: async () => {
      isClosed = true
      stopHearing?.()
      stopAsking()
      waitNoMore()
      const last = held
      held = undefined
      last?.lost.removeEventListener('abort', end)
      await last?.giveUp()
    },
  }
}

const nothing = (): void => undefined

const everywhere: Holder = {
  isShared: false,
  isHere: () => true,
  held: () => heldForEver,
  isDue: () => false,
  ask: async () => undefined,
  mayBeBehind: () => false,
  look: () => () => 0,
  moved: nothing,
  close: async () => undefined,
}
