import type { EventStore } from './event-store.ts'
import type { ReadModels } from './read-models.ts'

/** A store: the log, and the read models that are folded from it. Close the read models first. */
export type Storage = { readonly store: EventStore; readonly readModels: ReadModels }
