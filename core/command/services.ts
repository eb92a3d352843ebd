import type { Catalogue } from '../definition/catalogue.ts'
import type { Intent, Operation } from '../definition/operation.ts'
import type { Services } from '../definition/port.ts'
import { failure, type Failure } from '../failure.ts'
import { E } from '../prelude.ts'

const namesOf = ({ perform }: Operation): readonly string[] => Object.keys(perform?.needs ?? {})

/** What the engine cannot start without: `whenMissing` says of the work alone that it can. */
const neededBy = (operation: Operation): readonly string[] => [
  ...operation.inspectNeeds,
  ...(operation.perform?.whenMissing === 'unsupported' ? [] : namesOf(operation)),
]

const missingOf = (names: readonly string[], services: Services): readonly string[] =>
  names.filter((name) => !Object.hasOwn(services, name) || services[name] === undefined)

/** The services that an operation needs, and no others. */
export const servicesFor = (operation: Operation, services: Services): Services =>
  Object.fromEntries(namesOf(operation).map((name) => [name, services[name]]))

/** Fails where an operation needs a service that the engine was not given. One failure names all such services, and the operations. */
export const checkServices = ({ operations }: Catalogue, services: Services): E.Either<Failure, void> => {
  const needed = new Map<string, readonly string[]>()
  for (const operation of operations)
    for (const name of missingOf(neededBy(operation), services))
      needed.set(name, [...(needed.get(name) ?? []), operation.path])
  if (needed.size === 0) return E.right(undefined)
  const missing = [...needed].map(([name, paths]) => `${name} (needed by ${paths.join(', ')})`)
  return E.left(failure('CONFIGURATION_INVALID', `ports: expected ${missing.join(' and ')}`))
}

/** The refusal of a request that this engine cannot do, because it was not given a service. */
export const unsupportedFor =
  (services: Services) =>
  (operation: Operation, intent: Intent): Failure | undefined => {
    const [missing] = missingOf(operation.needsFor(intent), services)
    return missing === undefined
      ? undefined
      : failure('UNSUPPORTED', `${operation.path} is not supported by this server: it has no ports.${missing}`)
  }
