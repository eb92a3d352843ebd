import type { FollowPorts, FollowsLog } from '../following/follower.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import type { TellThrown } from '../telemetry/tell-thrown.ts'
import type { WatchedStorage } from '../telemetry/watched-storage.ts'
import { observeWaiting } from './observe-waiting.ts'

type Ports = Pick<FollowPorts, 'clock' | 'commits'> & {
  readonly storage: WatchedStorage
  readonly telemetry: Telemetry | undefined
  readonly tell: TellThrown
}

/** Observes whether the store takes writes, and what waits in it, if the host has telemetry. */
export const observeStorage = ({ telemetry, ...ports }: Ports): FollowsLog => {
  const { refusesWrites } = ports.storage
  const stop = telemetry?.observe('countersign.store.writable', {}, () => (refusesWrites() === undefined ? 1 : 0))
  const stopWaiting = telemetry && observeWaiting({ ...ports, telemetry })
  return {
    close: async () => {
      stop?.()
      await stopWaiting?.()
    },
  }
}
