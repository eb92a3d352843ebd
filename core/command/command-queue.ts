import { fairQueue } from '../collections/fair-queue.ts'
import { tally } from '../collections/tally.ts'
import type { Clock } from '../ports/clock.ts'

/** Bounds how many commands are decided at once. The others wait, organizations take turns, and nobody has to wait for too long. */
export type CommandQueue = {
  /** Resolves when the next command of the caller, of its organization, may go on. */
  readonly enter: (organizationId: string, caller: string) => Promise<void>
  /** Makes room for the next command. Call it once for each command that entered. */
  readonly leave: (organizationId: string) => void
  /**
   * Whether the next command of the caller would go on within this time, in milliseconds. A caller whose commands wait already has half
   * of the time: the other half is for other callers of its organization. While another organization has more waiting commands, the
   * command may wait in any case: it goes on before the last of those, which was within the time when it came.
   */
  readonly isWithin: (organizationId: string, caller: string, waitMaxMs: number) => boolean
}

/** @param atOnce  how many commands are decided at once */
export const commandQueue = (atOnce: number, clock: Pick<Clock, 'now'>): CommandQueue => {
  const queue = fairQueue(atOnce)
  const waiting = tally() // by organization and caller
  const pace = paceOf(clock, atOnce)
  const nameOf = (organizationId: string, caller: string): string => `${organizationId} ${caller}`
  return {
    enter: (organizationId, caller) => {
      const name = nameOf(organizationId, caller)
      waiting.up(name)
      return new Promise((resolve) =>
        queue.join(organizationId, () => {
          waiting.down(name)
          pace.enter()
          resolve()
        }),
      )
    },
    leave: (organizationId) => {
      pace.leave()
      queue.leave(organizationId)
    },
    isWithin: (organizationId, caller, waitMaxMs) => {
      const ahead = queue.ahead(organizationId)
      if (ahead === 0 || !queue.isLongest(organizationId)) return true
      const isWaiting = waiting.of(nameOf(organizationId, caller)) > 0
      return (ahead * pace.heldMs()) / atOnce <= (isWaiting ? waitMaxMs / 2 : waitMaxMs)
    },
  }
}

type Pace = {
  readonly enter: () => void
  readonly leave: () => void
  /** For how many milliseconds a command has kept its place lately, on average; 0 until this is known. */
  readonly heldMs: () => number
}

/** The last measures count, but for the largest of them: a single stall, for example of the disk, makes no difference. */
const MEASURES = 5

/**
 * Measures how long commands keep their places, each time that as many have left as there are places. The time that all places together
 * were taken, divided by the number of commands that left, is the average of each (Little's law). So nothing is kept for a single command.
 */
const paceOf = ({ now }: Pick<Clock, 'now'>, atOnce: number): Pace => {
  let inside = 0
  let changedAtMs = now()
  let takenMs = 0
  let left = 0
  let measures: readonly number[] = []
  let heldMs = 0

  const change = (by: 1 | -1): void => {
    const nowMs = now()
    takenMs += inside * Math.max(0, nowMs - changedAtMs) // the clock may jump back
    changedAtMs = nowMs
    inside += by
  }

  return {
    enter: () => change(1),
    leave: () => {
      change(-1)
      left += 1
      if (left < atOnce) return
      measures = [...measures.slice(1 - MEASURES), takenMs / left]
      heldMs = usual(measures)
      takenMs = 0
      left = 0
    },
    heldMs: () => heldMs,
  }
}

/** The average without the largest value, unless it is the only one. */
const usual = ([first = 0, ...rest]: readonly number[]): number =>
  rest.length === 0 ? first : (rest.reduce((sum, ms) => sum + ms, first) - Math.max(first, ...rest)) / rest.length
