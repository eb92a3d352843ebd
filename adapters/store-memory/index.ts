/**
 * A store in memory: for fast tests, and as the smallest example for authors of a new store. Its data is lost when the process ends.
 */
import type { Storage } from '../../core/ports/storage.ts'
import { memoryLeases } from '../../core/leasing/memory-leases.ts'
import { memoryEventStore } from './event-store.ts'
import { memoryReadModels } from './read-models.ts'
import { memorySealedRows } from './sealed-rows.ts'

export type MemoryStoreOptions = {
  /** The most bytes that one commit may have, lines and parts together. Default: 16 MiB. */
  readonly commitBytesMax?: number
  /** The position of the first event of the store; for tests of large numbers. Default: 1. */
  readonly firstPosition?: bigint
  /** The sequence of the first event of each log; for tests of large numbers. Default: 1. */
  readonly firstSequence?: bigint
  /** The time by which leases end, in milliseconds that only grow; for tests. Default: the time of the process. */
  readonly now?: () => number
}

/**
 * Opens an empty store in memory.
 *
 * @example const { store, readModels } = memoryStore()
 * @see docs/reference/store-memory.md
 */
export const memoryStore = ({ now = () => performance.now(), ...options }: MemoryStoreOptions = {}): Storage => {
  const readModels = memoryReadModels()
  const { sealed, end } = memorySealedRows()
  return {
    store: memoryEventStore({ commitBytesMax: 16 * 1024 * 1024, firstPosition: 1n, firstSequence: 1n, ...options }),
    readModels: {
      ...readModels,
      close: () => {
        end()
        return readModels.close()
      },
    },
    leases: memoryLeases(now),
    sealed,
  }
}
