import type { OwnCommits } from '../following/own-commits.ts'
import type { Clock } from '../ports/clock.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import type { TellThrown } from '../telemetry/tell-thrown.ts'
import type { WatchedStorage } from '../telemetry/watched-storage.ts'
import { observeWaiting } from './observe-waiting.ts'

type Ports = {
  readonly storage: WatchedStorage
  readonly clock: Clock
  readonly commits: Pick<OwnCommits, 'listen'>
  readonly tell: TellThrown
}

/** Observes whether the store takes writes, and what waits in it. Returns a function that stops it. */
export const observeStorage = (telemetry: Telemetry, ports: Ports): (() => Promise<void>) => {
  const { refusesWrites } = ports.storage
  const stop = telemetry.observe('countersign.store.writable', {}, () => (refusesWrites() === undefined ? 1 : 0))
  const stopWaiting = observeWaiting({ ...ports, telemetry })
  return async () => {
    stop()
    await stopWaiting()
  }
}
