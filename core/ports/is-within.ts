import type { Clock } from './clock.ts'

/** Whether a promise resolves or rejects within `delayMs`. */
export const isWithin = (clock: Clock, delayMs: number, ending: Promise<unknown>): Promise<boolean> =>
  new Promise((resolve) => {
    const callOff = clock.after(delayMs, () => resolve(false))
    const end = (): void => {
      callOff()
      resolve(true)
    }
    ending.then(end, end)
  })
