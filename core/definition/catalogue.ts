import { failure, type Failure } from '../failure.ts'
import type { AnyState } from '../organization/state.ts'
import { isFreeKeyword, languageOf, type Language } from '../policy/expression.ts'
import type { FactTypes } from '../policy/schema.ts'
import { noTimeZones } from '../ports/no-time-zones.ts'
import type { TimeZones } from '../ports/time-zones.ts'
import { E } from '../prelude.ts'
import type { Limit } from './limits.ts'
import type { Operation, Version } from './operation.ts'
import type { Projection } from './projection.ts'
import type { Query } from './query.ts'
import type { Resource } from './resource.ts'

/** The definitions of all resources of an engine, by name. */
export type Catalogue = {
  readonly resources: readonly Resource[]
  /** The operations that have a route. */
  readonly operations: readonly Operation[]
  readonly byType: (type: string) => { readonly operation: Operation; readonly version: Version } | undefined
  /** One more than the revisions that its operations have had after their first ones. Every decision names it. */
  readonly generation: number
  readonly byPath: (path: string) => Operation | undefined
  readonly queries: ReadonlyMap<string, Query>
  readonly projections: readonly Projection[]
  readonly states: ReadonlyMap<string, AnyState>
  readonly limits: ReadonlyMap<string, Limit>
  /** What all resources add to conditions of policies. */
  readonly facts: Required<FactTypes>
  /** The policy language, with these facts. */
  readonly language: Language
  /** The time zones in which policies are read. */
  readonly timeZones: TimeZones
}

/**
 * Fails if two different definitions of one kind have the same name. Several resources may list the same definition.
 *
 * @param timeZones  on Node: `intlTimeZones()`. Default: UTC alone
 */
export const catalogue = (
  resources: readonly Resource[],
  timeZones: TimeZones = noTimeZones,
): E.Either<Failure, Catalogue> => {
  const problems: Failure[] = []
  const entries = <A>(what: string, of: (one: Resource) => readonly (readonly [string, A])[]) =>
    byName(problems, what, resources.flatMap(of))
  const named = <A extends { readonly name: string }>(what: string, of: (one: Resource) => readonly A[]) =>
    entries(what, (resource) => of(resource).map((one) => [one.name, one] as const))
  const atPath = <A extends { readonly path: string }>(what: string, of: (one: Resource) => readonly A[]) =>
    entries(what, (resource) => of(resource).map((one) => [one.path, one] as const))
  const members = <A>(what: string, of: (one: Resource) => { readonly [name: string]: A } | undefined) =>
    entries(what, (resource) => Object.entries(of(resource) ?? {}))

  named('name', (one) => [one])
  atPath('path', everyOperation)
  const types = entries('type', (resource) =>
    everyOperation(resource).flatMap((operation) =>
      operation.versions.map((version) => [version.type, { operation, version }] as const),
    ),
  )
  const operations = resources.flatMap((one) => one.operations)
  const routed = new Map(operations.map((operation) => [operation.path, operation]))
  const keywords = members('keyword', ({ facts }) => facts.keywords)
  for (const name of keywords.keys())
    if (!isFreeKeyword(name)) problems.push(failure('CONFIGURATION_INVALID', `${name} cannot be a keyword of policies`))
  const params = members('parameter for policies', ({ facts }) => facts.params)
  const facts = { keywords: Object.fromEntries(keywords), params: Object.fromEntries(params) }
  const known: Catalogue = {
    resources,
    operations,
    byType: (type) => types.get(type),
    generation: generationOf(resources.flatMap(everyOperation)),
    byPath: (path) => routed.get(path),
    queries: atPath('query path', ({ queries }) => queries),
    projections: [...named('projection', ({ projections }) => projections).values()],
    states: named('state', ({ states }) => states),
    facts,
    language: languageOf(facts),
    timeZones,
    limits: members('limit', ({ limits }) => limits.byName),
  }
  const [problem] = problems
  return problem === undefined ? E.right(known) : E.left(problem)
}

const everyOperation = ({ operations, unrouted }: Resource): readonly Operation[] => [...operations, ...unrouted]

const generationOf = (operations: readonly Operation[]): number =>
  [...new Set(operations)].reduce((sum, { revision }) => sum + revision - 1, 1)

const byName = <A>(
  problems: Failure[],
  what: string,
  entries: readonly (readonly [string, A])[],
): ReadonlyMap<string, A> => {
  const found = new Map<string, A>()
  for (const [name, one] of entries) {
    const other = found.get(name)
    if (other !== undefined && other !== one)
      problems.push(failure('CONFIGURATION_INVALID', `two resources have the ${what} ${name}`))
    found.set(name, one)
  }
  return found
}

/** The limits with their defaults. */
export const defaultsOf = ({ limits }: Pick<Catalogue, 'limits'>): { readonly [name: string]: number } =>
  Object.fromEntries([...limits].map(([name, limit]) => [name, limit.default]))
