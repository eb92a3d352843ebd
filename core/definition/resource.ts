import type { AnyState } from '../organization/state.ts'
import type { FactTypes } from '../policy/schema.ts'
import type { LimitSet } from './limits.ts'
import type { Operation } from './operation.ts'
import type { Projection } from './projection.ts'
import type { Query } from './query.ts'

/** One kind of thing, defined in one folder: its states, limits, facts, operations, queries and projections. */
export type Resource<O extends readonly Operation[] = readonly Operation[]> = {
  /** In kebab-case; unique among the resources of an engine. */
  readonly name: string
  readonly states: readonly AnyState[]
  readonly limits: LimitSet
  /** The names that it adds to the policy language, with their types. */
  readonly facts: FactTypes
  readonly operations: O
  /** Operations without a route: replay and audits know them, but nobody can submit them by a path. */
  readonly unrouted: readonly Operation[]
  readonly queries: readonly Query[]
  readonly projections: readonly Projection[]
}

const NOTHING: Omit<Resource, 'name'> = {
  states: [],
  limits: { byName: {}, of: ({ limits }) => limits },
  facts: {},
  operations: [],
  unrouted: [],
  queries: [],
  projections: [],
}

/**
 * Defines a resource. The built-in ones are made with this same function, and have no privileges.
 *
 * @example export const vaults = resource({ name: 'vaults', states: [vaultState], operations: [createVault], queries: [listVaults] })
 */
export const resource = <const O extends readonly Operation[] = readonly []>(
  parts: Omit<Partial<Resource>, 'operations'> & Pick<Resource, 'name'> & { readonly operations?: O },
): Resource<O> => ({ ...NOTHING, ...parts }) as Resource<O> // without operations, O is the empty list

/** The services that an operation needs, by name; empty if the types of the operation are not known. */
type NeedsOf<A> =
  A extends Operation<string, unknown, unknown, unknown, infer N> ? (unknown extends N ? object : N) : never

/** The intersection of all members of a union. */
type Together<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void ? I : never

/** The services that the operations of resources need, by name, with their types. */
export type ServicesOf<R extends readonly Resource[]> = Together<NeedsOf<R[number]['operations'][number]>> & {
  readonly [name: string]: unknown
}

/** The engine's option `ports` for these resources: it is required if one of their operations requires a service. */
export type PortsFor<R extends readonly Resource[]> =
  Record<never, never> extends ServicesOf<R>
    ? { readonly ports?: ServicesOf<R> | undefined }
    : { readonly ports: ServicesOf<R> }
