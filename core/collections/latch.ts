/** An event that happens once. Any number of callers can wait for it, and can stop waiting. */
export type Latch = {
  /** Makes it happen. */
  readonly pass: () => void
  readonly isPast: () => boolean
  /** Calls `wake` when it happens, or at once if it has happened; returns a function that cancels this. */
  readonly when: (wake: () => void) => () => void
  /** The value of the promise, or `undefined` if the latch is passed first. */
  readonly unlessPast: <A>(promise: Promise<A>) => Promise<A | undefined>
}

/** `Promise.race` with one long-lived promise is no alternative: it would keep every waiter in memory until that promise resolves. */
export const latch = (): Latch => {
  const waiting = new Set<() => void>()
  let isPast = false
  const when = (wake: () => void): (() => void) => {
    if (isPast) {
      wake()
      return () => undefined
    }
    waiting.add(wake)
    return () => void waiting.delete(wake)
  }
  return {
    pass: () => {
      isPast = true
      for (const wake of waiting) wake()
      waiting.clear()
    },
    isPast: () => isPast,
    when,
    unlessPast: (promise) =>
      new Promise((resolve, reject) => {
        const callOff = when(() => resolve(undefined))
        promise.then(resolve, reject).finally(callOff)
      }),
  }
}
