import { systemClock } from '../../../adapters/clock/system-clock.ts'
import type { TestClock } from '../../core/world/world.ts'

/** A clock that goes on by itself, as that of a browser does: what a page stamps has the time of the machine, however long the page takes. */
export const runningClock = (): TestClock => {
  let aheadMs = 0
  return {
    now: () => Date.now() + aheadMs,
    after: systemClock().after,
    set: (atMs) => void (aheadMs = atMs - Date.now()),
    pass: (ms) => void (aheadMs += ms),
  }
}
