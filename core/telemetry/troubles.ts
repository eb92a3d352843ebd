import type { Clock } from '../ports/clock.ts'
import type { Notice, TellNotice } from '../ports/notice.ts'

/**
 * Tells of trouble that comes again and again: at once when it begins, then after some minutes how often it came, and when it is over. So
 * nobody can fill the log by causing it. The pauses are measured by timers: the time of day may jump.
 */
export type Troubles = {
  /**
   * Counts a trouble, and tells of it unless it was told a short time ago.
   *
   * @param cause  the same text for the same trouble
   * @param describe  makes the notice. It is called only when the notice is told
   */
  readonly note: (cause: string, describe: () => Notice) => void
  /** Ends the troubles whose causes begin with the text; default: all. Costs nothing if there are none. */
  readonly wentWell: (causes?: string) => void
  /** Tells nothing any more. */
  readonly close: () => void
}

/** `success`: `wentWell` ends a trouble, and the end is told. `silence`: it ends when it does not come for a while, and that is not told. */
export type Ending = 'success' | 'silence'

type Trouble = {
  describe: () => Notice
  /** Whether the operator believes that it goes on. */
  isTold: boolean
  isGoingOn: boolean
  /** How often it came since the last notice, and since it began. */
  untold: number
  times: number
  pauseMs: number
  callOff: () => void
}

const PAUSE_MS = 60_000
/** The pause doubles up to this. */
const PAUSE_MAX_MS = 600_000
/** How many causes are told apart. All others are counted together. */
const CAUSES_MAX = 32

export const troubles = (
  { clock, tell }: { readonly clock: Pick<Clock, 'after'>; readonly tell: TellNotice },
  endsBy: Ending,
): Troubles => {
  const known = new Map<string, Trouble>()
  let isClosed = false

  const begin = (cause: string, describe: () => Notice): void => {
    const trouble: Trouble = {
      describe,
      isTold: true,
      isGoingOn: true,
      untold: 0,
      times: 1,
      pauseMs: PAUSE_MS,
      callOff: () => undefined,
    }
    known.set(cause, trouble)
    wait(cause, trouble)
    tell(describe())
  }

  const wait = (cause: string, trouble: Trouble): void => {
    trouble.callOff()
    trouble.callOff = clock.after(trouble.pauseMs, () => review(cause, trouble))
  }

  const review = (cause: string, trouble: Trouble): void => {
    if (trouble.untold > 0) {
      tell(worded(trouble.isTold ? 'still' : 'again', trouble.describe(), trouble.untold))
      trouble.untold = 0
      trouble.isTold = trouble.isGoingOn
      trouble.pauseMs = Math.min(2 * trouble.pauseMs, PAUSE_MAX_MS)
    } else if (endsBy === 'silence' || !trouble.isGoingOn) {
      known.delete(cause)
      return
    }
    wait(cause, trouble)
  }

  return {
    note: (cause, describe) => {
      if (isClosed) return
      const own = known.has(cause) || known.size < CAUSES_MAX ? cause : OTHERS
      const found = known.get(own)
      if (found === undefined) return begin(own, describe)
      found.describe = describe
      found.isGoingOn = true
      found.untold += 1
      found.times += 1
    },
    wentWell: (causes = '') => {
      if (known.size === 0 || endsBy === 'silence') return
      for (const [cause, trouble] of known) {
        if (!cause.startsWith(causes)) continue
        trouble.isGoingOn = false
        if (!trouble.isTold) continue // it comes and goes: the next review tells how often
        trouble.isTold = false
        tell(over(trouble))
        trouble.untold = 0
        trouble.times = 0
        trouble.pauseMs = PAUSE_MS
        wait(cause, trouble)
      }
    },
    close: () => {
      isClosed = true
      for (const { callOff } of known.values()) callOff()
      known.clear()
    },
  }
}

const OTHERS = 'others'

const over = ({ describe, times }: Trouble): Notice => worded('over', { ...describe(), level: 'info' }, times)

const worded = (word: string, { level, message, context }: Notice, times: number): Notice => ({
  level,
  message: `${word}: ${message}`,
  context: { ...context, times },
})
