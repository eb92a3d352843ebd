import type { Failure } from '../failure.ts'
import type { TE } from '../prelude.ts'

/**
 * Turns of the processes that share a store, by name: they only spare commits that the store would refuse. Nothing that must be right may
 * depend on a baton: a holder that stands still loses it, and is not told.
 */
export interface Batons {
  /**
   * Waits for the baton, runs `job`, and passes the baton on when its promise has settled. It fails if the baton is not to be had soon, or was
   * lost; the failure does not say whether `job` ran.
   */
  readonly hold: (name: string, job: () => Promise<void>) => TE.TaskEither<Failure, void>
}
