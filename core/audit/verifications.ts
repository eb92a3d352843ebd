/** Verifications that run now. There are many at a time, because they run on all cores. They end in any order. */
export type Verifications = {
  /**
   * Hands the outcome on when it is there.
   *
   * @param bytes  how many bytes are kept until then
   */
  readonly add: (verification: Promise<boolean>, bytes: number, settle: (holds: boolean) => void) => void
  /** Resolves when there is room for more; `undefined` when there is room now. */
  readonly room: () => Promise<void> | undefined
  /** Resolves when no verification runs any more. */
  readonly done: () => Promise<void>
}

/** The bytes that verifications under way may keep before `room` makes wait. */
const BYTES_MAX = 8 * 1024 * 1024

/** @param max  how many may be under way before `room` makes wait */
export const verifications = (max: number): Verifications => {
  let running = 0
  let bytes = 0
  let waiting: { readonly until: () => boolean; readonly wake: () => void } | undefined

  const hasRoom = (): boolean => running < max && bytes < BYTES_MAX
  const isHalfEmpty = (): boolean => running < Math.ceil(max / 2) && bytes < BYTES_MAX / 2
  const isIdle = (): boolean => running === 0

  const wait = (until: () => boolean): Promise<void> | undefined =>
    until() ? undefined : new Promise((wake) => (waiting = { until, wake }))

  const end = (ended: number): void => {
    running -= 1
    bytes -= ended
    if (waiting?.until() !== true) return
    const { wake } = waiting
    waiting = undefined
    wake()
  }

  return {
    add: (verification, added, settle) => {
      running += 1
      bytes += added
      void verification
        .then(settle, () => settle(false)) // the port never rejects; if it did, nothing was verified
        .then(() => end(added))
    },
    room: () => (hasRoom() ? undefined : wait(isHalfEmpty)), // half at once: waking for each would cost more
    done: async () => wait(isIdle),
  }
}
