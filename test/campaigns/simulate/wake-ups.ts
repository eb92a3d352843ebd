import type { EventStore } from '../../../core/ports/event-store.ts'
import type { MountPorts } from './mounted-storage.ts'
import type { Host } from './scheduler.ts'

/** After so long a process looks by itself, whether it was told or not. */
const POLL_MS = 3_000

/** Tells a process of new events: at once, late, or not before it looks by itself. */
export const wakeUps =
  ({ random, disk }: Pick<MountPorts, 'random' | 'disk'>, host: Host): EventStore['watch'] =>
  (onAppended) => {
    let isLooking = false
    const look = (): void => {
      if (isLooking) return
      isLooking = true
      host.clock.after(random.below(POLL_MS), () => {
        isLooking = false
        onAppended()
      })
    }
    return disk.watch(() => {
      if (host.isOver()) return
      const luck = random.next()
      if (luck < 0.7) return host.later(onAppended)
      if (luck < 0.85) host.clock.after(random.below(POLL_MS), onAppended)
      look()
    })
  }
