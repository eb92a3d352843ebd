/** The parts of an engine on Node, as a container of tsyringe. Only this file puts Node's parts together. */
import 'reflect-metadata' // oxlint-disable-line no-unassigned-import -- tsyringe refuses to load without it
import { container, instanceCachingFactory, type DependencyContainer, type InjectionToken } from 'tsyringe'
import type { EngineOptions } from '../core/engine.ts'
import type { Resource } from '../core/definition/resource.ts'
import { publicApi } from '../core/resources/public-api.ts'
import type { Clock } from '../core/ports/clock.ts'
import type { Ids } from '../core/ports/ids.ts'
import type { Attestations } from '../core/ports/attestations.ts'
import type { Signatures } from '../core/ports/signatures.ts'
import type { Storage } from '../core/ports/storage.ts'
import type { TimeZones } from '../core/ports/time-zones.ts'
import type { Turns } from '../core/ports/turns.ts'
import { simpleWebAuthn } from './attestations/attestations.ts'
import { systemClock } from './clock/system-clock.ts'
import { nodeDigest } from './digest/node-digest.ts'
import { nodeIds } from './ids/node-ids.ts'
import { byKeys } from './signatures/by-keys.ts'
import { nodeSignatures } from './signatures/node-signatures.ts'
import { intlTimeZones } from './time-zones/intl-time-zones.ts'
import { eventLoopTurns } from './turns/event-loop-turns.ts'

export type { DependencyContainer, InjectionToken }

const token = <A>(name: string): InjectionToken<A> => Symbol(name)

/** The token of each part, with its type. */
export const tokens = {
  storage: token<Storage>('Storage'),
  /** Verifies every claim at once; for audits. */
  verifier: token<Signatures>('Verifier'),
  /** Verifies with the verifier, and lets keys take turns; for engines. */
  signatures: token<Signatures>('Signatures'),
  /** Checks what authenticators say of new passkeys. */
  attestations: token<Attestations>('Attestations'),
  /** Knows what clocks show around the world. */
  timeZones: token<TimeZones>('TimeZones'),
  turns: token<Turns>('Turns'),
  clock: token<Clock>('Clock'),
  /** Event ids carry the time of the clock. */
  ids: token<Ids>('Ids'),
  resources: token<readonly Resource[]>('Resources'),
}

/** Makes a new container with Node's parts, without a store. Registering a token again replaces its part. */
export const nodeContainer = (): DependencyContainer =>
  container
    .createChildContainer()
    .register(tokens.verifier, { useFactory: instanceCachingFactory(() => nodeSignatures()) })
    .register(tokens.signatures, {
      useFactory: instanceCachingFactory((parts) => byKeys(parts.resolve(tokens.verifier))),
    })
    .register(tokens.attestations, {
      useFactory: instanceCachingFactory(() => simpleWebAuthn({ digest: nodeDigest() })),
    })
    .register(tokens.timeZones, { useFactory: instanceCachingFactory(() => intlTimeZones()) })
    .register(tokens.turns, { useFactory: instanceCachingFactory(() => eventLoopTurns()) })
    .register(tokens.clock, { useFactory: instanceCachingFactory(() => systemClock()) })
    .register(tokens.ids, {
      useFactory: instanceCachingFactory((parts) => nodeIds({ clock: parts.resolve(tokens.clock) })),
    })
    .register(tokens.resources, { useValue: publicApi })

/** The options of an engine that have a part of Node as their default. */
export const FILLED_IN = ['signatures', 'attestations', 'timeZones', 'turns', 'clock', 'ids', 'resources'] as const
export type GivenParts = Partial<Pick<EngineOptions, (typeof FILLED_IN)[number]>>

/**
 * Makes a container for one engine: the store, Node's parts, and the given parts in place of Node's.
 *
 * The store is opened before, and the engine closes it: the container is synchronous, and its `dispose` does not know the values that
 * factories made.
 *
 * @example
 * const parts = engineContainer(storage)
 * parts.register(tokens.resources, { useValue: [...publicApi, wireTransfers] })
 * const engine = await createEngine(engineOptions(parts))
 */
export const engineContainer = (storage: Storage, given: GivenParts = {}): DependencyContainer => {
  const parts = nodeContainer().register(tokens.storage, { useValue: storage })
  for (const name of FILLED_IN)
    if (given[name] !== undefined) parts.register<unknown>(tokens[name], { useValue: given[name] })
  return parts
}

/** Resolves all parts at once, so that a missing part is an error at the start, and not at the first request. */
export const engineOptions = (parts: DependencyContainer): EngineOptions => ({
  store: parts.resolve(tokens.storage),
  signatures: parts.resolve(tokens.signatures),
  attestations: parts.resolve(tokens.attestations),
  timeZones: parts.resolve(tokens.timeZones),
  turns: parts.resolve(tokens.turns),
  clock: parts.resolve(tokens.clock),
  ids: parts.resolve(tokens.ids),
  resources: parts.resolve(tokens.resources),
})
