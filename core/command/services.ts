import type { Catalogue } from '../definition/catalogue.ts'
import type { Operation } from '../definition/operation.ts'
import type { Services } from '../definition/port.ts'
import { failure, type Failure } from '../failure.ts'
import { E } from '../prelude.ts'

const namesOf = ({ perform }: Operation): readonly string[] => Object.keys(perform?.needs ?? {})

const missingFor = (operation: Operation, services: Services): readonly string[] =>
  namesOf(operation).filter((name) => !Object.hasOwn(services, name) || services[name] === undefined)

/** The services that an operation needs, and no others. */
export const servicesFor = (operation: Operation, services: Services): Services =>
  Object.fromEntries(namesOf(operation).map((name) => [name, services[name]]))

/** Fails where an operation needs a service that the engine was not given. One failure names all such services, and the operations. */
export const checkServices = ({ operations }: Catalogue, services: Services): E.Either<Failure, void> => {
  const needed = new Map<string, readonly string[]>()
  for (const operation of operations) {
    if (operation.perform?.whenMissing === 'unsupported') continue
    for (const name of missingFor(operation, services)) needed.set(name, [...(needed.get(name) ?? []), operation.path])
  }
  if (needed.size === 0) return E.right(undefined)
  const missing = [...needed].map(([name, paths]) => `${name} (needed by ${paths.join(', ')})`)
  return E.left(failure('CONFIGURATION_INVALID', `ports: expected ${missing.join(' and ')}`))
}

/** The refusal of an operation that this engine cannot do, because it was not given a service. */
export const unsupportedFor =
  (services: Services) =>
  (operation: Operation): Failure | undefined => {
    const [missing] = missingFor(operation, services)
    return missing === undefined
      ? undefined
      : failure('UNSUPPORTED', `${operation.path} is not supported by this server: it has no ports.${missing}`)
  }
