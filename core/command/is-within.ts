import type { Clock } from '../ports/clock.ts'

/** Whether something ends, well or badly, within the time. */
export const isWithin = (clock: Clock, delayMs: number, ending: Promise<unknown>): Promise<boolean> =>
  new Promise((resolve) => {
    const callOff = clock.after(delayMs, () => resolve(false))
    const end = (): void => {
      callOff()
      resolve(true)
    }
    ending.then(end, end)
  })
