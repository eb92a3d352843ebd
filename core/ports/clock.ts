/** The time of day, in milliseconds since the epoch. It may jump, in both directions. */
export interface Clock {
  readonly now: () => number
  /** Calls `wake` once, `delayMs` from now; returns a function that cancels it. The timer must not keep the process alive. */
  readonly after: (delayMs: number, wake: () => void) => () => void
}
