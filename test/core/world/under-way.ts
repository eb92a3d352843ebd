import { quiet } from '../../../adapters/testing/office/under-way.ts'
import type { TestClock } from './world.ts'

export { counted, quiet } from '../../../adapters/testing/office/under-way.ts'

/** Whether the promise is still waiting when everything is quiet. */
export const isWaiting = async (promise: Promise<unknown>): Promise<boolean> => {
  let waits = true
  const ended = (): void => void (waits = false)
  promise.then(ended, ended)
  await quiet()
  return waits
}

/** Waits for a promise: whenever everything is quiet, the test's clock goes on by a step; or it only wakes whoever is due. */
export const inTime = async <A>(clock: TestClock, promise: Promise<A>, stepMs = 100): Promise<A> => {
  while (await isWaiting(promise)) clock.pass(stepMs)
  return promise
}

/** Lets everything happen until something is so. It has no limit: the runner has one. */
export const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await quiet()
}
