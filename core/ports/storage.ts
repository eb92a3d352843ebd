import type { EventStore } from './event-store.ts'
import type { ReadModels } from './read-models.ts'

/** What a store adapter opens: the log, and beside it what is folded from it. Close the read models first. */
export type Storage = { readonly store: EventStore; readonly readModels: ReadModels }
