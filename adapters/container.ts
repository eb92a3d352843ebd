import 'reflect-metadata' // oxlint-disable-line no-unassigned-import -- tsyringe refuses to load without it
import { container, instanceCachingFactory, type DependencyContainer, type InjectionToken } from 'tsyringe'
import type { EngineOptions } from '../core/engine.ts'
import type { Operation } from '../core/operations/operation.ts'
import { publicApi } from '../core/operations/public-api.ts'
import type { Clock } from '../core/ports/clock.ts'
import type { Ids } from '../core/ports/ids.ts'
import type { Signatures } from '../core/ports/signatures.ts'
import type { Storage } from '../core/ports/storage.ts'
import type { Turns } from '../core/ports/turns.ts'
import { systemClock } from './clock/system-clock.ts'
import { nodeIds } from './ids/node-ids.ts'
import { byKeys } from './signatures/by-keys.ts'
import { nodeSignatures } from './signatures/node-signatures.ts'
import { eventLoopTurns } from './turns/event-loop-turns.ts'

const token = <A>(name: string): InjectionToken<A> => Symbol(name)

/** What an engine is made of, by the type of what each name stands for. */
export const tokens = {
  storage: token<Storage>('Storage'),
  signatures: token<Signatures>('Signatures'),
  turns: token<Turns>('Turns'),
  clock: token<Clock>('Clock'),
  ids: token<Ids>('Ids'),
  operations: token<readonly Operation[]>('Operations'),
}

/**
 * A container of its own for one engine, with what Node offers. What is registered again replaces what is there.
 *
 * The store is opened before and closed by the engine: the container is synchronous, and its `dispose` does not know what
 * factories made.
 *
 * @example
 * const parts = engineContainer(storage)
 * parts.register(tokens.operations, { useValue: [...publicApi, wireTransfer] })
 * const engine = await createEngine(engineOptions(parts))
 */
export const engineContainer = (storage: Storage): DependencyContainer =>
  container
    .createChildContainer()
    .register(tokens.storage, { useValue: storage })
    .register(tokens.signatures, { useFactory: instanceCachingFactory(() => byKeys(nodeSignatures())) })
    .register(tokens.turns, { useFactory: instanceCachingFactory(() => eventLoopTurns()) })
    .register(tokens.clock, { useFactory: instanceCachingFactory(() => systemClock()) })
    .register(tokens.ids, {
      useFactory: instanceCachingFactory((parts) => nodeIds({ clock: parts.resolve(tokens.clock) })),
    })
    .register(tokens.operations, { useValue: publicApi })

/** Resolves everything at once: what is missing is missing at the start, not at the first request. */
export const engineOptions = (parts: DependencyContainer): EngineOptions => ({
  store: parts.resolve(tokens.storage),
  signatures: parts.resolve(tokens.signatures),
  turns: parts.resolve(tokens.turns),
  clock: parts.resolve(tokens.clock),
  ids: parts.resolve(tokens.ids),
  operations: parts.resolve(tokens.operations),
})
