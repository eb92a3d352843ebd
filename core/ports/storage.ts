import type { Batons } from './batons.ts'
import type { EventStore } from './event-store.ts'
import type { Leases } from './leases.ts'
import type { ReadModels } from './read-models.ts'
import type { SealedRows } from './sealed-rows.ts'

/** A store: the log, and the read models that are folded from it. Close the read models first. */
export type Storage = {
  readonly store: EventStore
  readonly readModels: ReadModels
  /** Leases for the processes that share the store. Without them, several processes may do the same work, which is never wrong. */
  readonly leases?: Leases | undefined
  /** Batons for the processes that share the store. Without them, more of what several processes decide at once is refused and decided anew. */
  readonly batons?: Batons | undefined
  /** Sealed rows, for secrets. Without them, nothing that needs a key of its own is supported. */
  readonly sealed?: SealedRows | undefined
}

/** What a store needs beside a log that is kept elsewhere. Closing the read models closes all of it. */
export type BesideLog = Pick<Storage, 'readModels' | 'leases' | 'sealed'>
