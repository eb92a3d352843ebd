import type { Clock } from '../ports/clock.ts'
import type { StoreCapabilities } from '../ports/event-store.ts'
import type { Ids } from '../ports/ids.ts'

type Ports = {
  readonly clock: Pick<Clock, 'after'>
  readonly ids: Pick<Ids, 'bytes'>
  readonly capabilities: Pick<StoreCapabilities, 'soleWriter'>
}

/** Waits after a refused commit. @param conflicts  how many commits of one command were refused, this one included */
export type AfterConflict = (conflicts: number) => Promise<void>

const FIRST_MS = 8
const LAST_MS = 128

/**
 * A short random time: processes that overtake each other again and again would otherwise decide anew at the same moment, too. It grows with
 * each refusal. After the first one nobody waits, because mostly it is the only one; a sole writer never waits, because nobody else writes.
 */
export const afterConflict =
  ({ clock, ids, capabilities }: Ports): AfterConflict =>
  (conflicts) => {
    if (capabilities.soleWriter || conflicts < 2) return Promise.resolve()
    const [random = 0] = ids.bytes(1)
    const boundMs = Math.min(FIRST_MS * 2 ** (conflicts - 2), LAST_MS)
    return new Promise((resolve) => void clock.after((random / 256) * boundMs, resolve, true))
  }
