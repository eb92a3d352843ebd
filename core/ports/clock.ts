/** The time of day, in milliseconds since the epoch. It may jump, in both directions. */
export interface Clock {
  readonly now: () => number
  /** Calls `wake` once, `delayMs` from now; returns the way to call it off. Must not keep a process alive by itself. */
  readonly after: (delayMs: number, wake: () => void) => () => void
}
