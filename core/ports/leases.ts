import type { Failure } from '../failure.ts'
import type { TE } from '../prelude.ts'

/**
 * Leases by name, for work that one of several processes should do. Time is that of the store, never that of a process. Nothing that must be
 * right may depend on a lease: a process that stood still may still believe that it holds one. A lease only spares work.
 */
export interface Leases {
  /** Takes the lease for so many milliseconds; `undefined` if somebody holds it. */
  readonly take: (name: string, forMs: number) => TE.TaskEither<Failure, Lease | undefined>
  /** Lets the lease end so many milliseconds from now. False if it has ended already, or somebody else has taken it. */
  readonly renew: (lease: Lease, forMs: number) => TE.TaskEither<Failure, boolean>
  /** Ends the lease at once. It is no failure if it has ended already. */
  readonly giveUp: (lease: Lease) => TE.TaskEither<Failure, void>
}

/** A lease that was taken. Each taking of a name has a greater `fence` than the one before. */
export type Lease = { readonly name: string; readonly fence: bigint }
