/** Countersign for Node: the engine with its clock, ids and signatures filled in, and what a host defines its own with. */
import { createEngine as createEngineOf } from '../core/create-engine.ts'
import type { Engine, EngineOptions } from '../core/engine.ts'
import type { Failure } from '../core/failure.ts'
import { publicApi } from '../core/operations/public-api.ts'
import type { Storage } from '../core/ports/storage.ts'
import type { TE } from '../core/prelude.ts'
import { systemClock } from './clock/system-clock.ts'
import { nodeIds } from './ids/node-ids.ts'
import { byKeys } from './signatures/by-keys.ts'
import { nodeSignatures } from './signatures/node-signatures.ts'
import { eventLoopTurns } from './turns/event-loop-turns.ts'

/** What a host gives: a store. All else has a default, or can be left out. */
export type NodeEngineOptions = Omit<EngineOptions, 'store' | FilledIn> &
  Partial<Pick<EngineOptions, FilledIn>> & {
    /** The store, opened or about to be: what `sqliteStore()` and `memoryStore()` return. The engine closes it. */
    readonly store: Storage | Promise<Storage> | TE.TaskEither<Failure, Storage>
  }
type FilledIn = 'signatures' | 'turns' | 'clock' | 'ids' | 'operations'

/**
 * Makes an engine on Node. Operations are the `publicApi` unless they are given.
 *
 * @returns rejects with a `Failure` where an option is wrong or the store cannot be opened
 * @example
 * const engine = await createEngine({ store: sqliteStore({ path: 'activities.db' }), operations: [...publicApi, wireTransfer] })
 */
export const createEngine = async ({ store, ...options }: NodeEngineOptions): Promise<Engine> => {
  const storage = await opened(store)
  try {
    return await createEngineOf({
      signatures: byKeys(nodeSignatures()),
      turns: eventLoopTurns(),
      clock: systemClock(),
      ids: nodeIds(),
      operations: publicApi,
      ...options,
      store: storage,
    })
  } catch (error) {
    await storage.readModels.close()
    await storage.store.close()
    throw error
  }
}

const opened = async (store: NodeEngineOptions['store']): Promise<Storage> => {
  if (typeof store !== 'function') return store
  const outcome = await store()
  if (outcome._tag === 'Right') return outcome.right
  // oxlint-disable-next-line only-throw-error -- what is promised: hosts look at its code
  throw outcome.left
}

export { systemClock } from './clock/system-clock.ts'
export { nodeIds, type NodeIdsOptions } from './ids/node-ids.ts'
export { nodeSignatures, type NodeSignaturesOptions } from './signatures/node-signatures.ts'
export { eventLoopTurns } from './turns/event-loop-turns.ts'
export { organizationRequest, type OrganizationRequestOptions } from './organization-request.ts'

export * from '../core/index.ts' // but for its `createEngine`: the one above stands for it
