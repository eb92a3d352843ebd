/** Verifications under way: many at a time, since they run on all cores, and in no order. */
export type Verifications = {
  /** Hands the outcome on when it is there. */
  readonly add: (verification: Promise<boolean>, settle: (holds: boolean) => void) => void
  /** Resolves when there is room for more; `undefined` when there is room now. */
  readonly room: () => Promise<void> | undefined
  /** Resolves when nothing is under way. */
  readonly done: () => Promise<void>
}

/** @param max  how many may be under way before `room` makes wait */
export const verifications = (max: number): Verifications => {
  let running = 0
  let waiting: { readonly below: number; readonly wake: () => void } | undefined

  const wait = (below: number): Promise<void> | undefined =>
    running < below ? undefined : new Promise((wake) => (waiting = { below, wake }))

  const end = (): void => {
    running -= 1
    if (waiting === undefined || running >= waiting.below) return
    const { wake } = waiting
    waiting = undefined
    wake()
  }

  return {
    add: (verification, settle) => {
      running += 1
      void verification
        .then(settle, () => settle(false)) // the port never rejects; if it did, nothing was verified
        .then(end)
    },
    room: () => (running < max ? undefined : wait(Math.ceil(max / 2))), // half at once: waking for each would cost more
    done: async () => wait(1),
  }
}
