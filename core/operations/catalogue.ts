import { failure, type Failure } from '../failure.ts'
import { E } from '../prelude.ts'
import type { Operation, Version } from './operation.ts'

/** The operations that an engine knows, found by type or by path. */
export type Catalogue = {
  readonly operations: readonly Operation[]
  readonly byType: (type: string) => { readonly operation: Operation; readonly version: Version } | undefined
  readonly byPath: (path: string) => Operation | undefined
}

/**
 * Fails where two operations claim the same type or path.
 *
 * @param unrouted  operations that replay knows, but nobody can submit
 */
export const catalogue = (
  operations: readonly Operation[],
  unrouted: readonly Operation[] = [],
): E.Either<Failure, Catalogue> => {
  const types = new Map<string, { readonly operation: Operation; readonly version: Version }>()
  const paths = new Map<string, Operation>()
  for (const operation of [...operations, ...unrouted]) {
    if (paths.has(operation.path)) return E.left(twice('path', operation.path))
    paths.set(operation.path, operation)
    for (const version of operation.versions) {
      if (types.has(version.type)) return E.left(twice('type', version.type))
      types.set(version.type, { operation, version })
    }
  }
  const routed = new Map(operations.map((operation) => [operation.path, operation]))
  return E.right({ operations, byType: (type) => types.get(type), byPath: (path) => routed.get(path) })
}

const twice = (what: string, name: string): Failure =>
  failure('CONFIGURATION_INVALID', `two operations have the ${what} ${name}`)
