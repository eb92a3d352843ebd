/** The time of day, in milliseconds since the epoch. It may jump, in both directions. */
export interface Clock {
  readonly now: () => number
  /**
   * Calls `wake` once, `delayMs` from now; returns a function that cancels it.
   *
   * @param isAwaited  whether a caller of the engine waits for it: only then the timer keeps the process alive. Default: false
   */
  readonly after: (delayMs: number, wake: () => void, isAwaited?: boolean) => () => void
}
