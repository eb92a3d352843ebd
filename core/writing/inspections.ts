import { fairQueue } from '../collections/fair-queue.ts'
import { inspectedBy, inspectServices, type InspectPorts } from '../definition/inspect-services.ts'
import type { DecodedIntent, Operation } from '../definition/operation.ts'
import { failure, type Failure } from '../failure.ts'
import type { Clock } from '../ports/clock.ts'
import { isWithin } from '../ports/is-within.ts'
import { E } from '../prelude.ts'

/**
 * Runs `inspect` of the operation on a request; gives the request as it is where the operation has none.
 *
 * @returns the failure that `inspect` gives, or `UNAVAILABLE` where it takes too long. It rejects where `inspect` throws
 */
export type Inspect = (
  organizationId: string,
  operation: Operation,
  decoded: DecodedIntent,
) => Promise<E.Either<Failure, DecodedIntent>>

export type InspectionOptions = {
  readonly inspectWithinMs?: number
  readonly inspectionsAtOnce?: number
}

/**
 * A bounded number of inspections run at once. Organizations take turns, and none has more than a quarter of the places. An
 * inspection that never ends keeps its place.
 */
export const inspections = (
  { clock, ...given }: InspectPorts & { readonly clock: Clock },
  { inspectWithinMs = 5_000, inspectionsAtOnce = 64 }: InspectionOptions = {},
): Inspect => {
  const services = inspectServices(given)
  const places = fairQueue(inspectionsAtOnce, Math.ceil(inspectionsAtOnce / 4))
  return async (organizationId, operation, decoded) => {
    if (operation.inspect === undefined) return E.right(decoded)
    const abort = new AbortController()
    const inspected = async (): Promise<E.Either<Failure, DecodedIntent>> => {
      await places.enter(organizationId)
      try {
        return abort.signal.aborted ? tookTooLong : await inspectedBy(services, operation, decoded, abort.signal)
      } finally {
        places.leave(organizationId)
      }
    }
    const outcome = inspected()
    if (await isWithin(clock, inspectWithinMs, outcome)) return outcome
    abort.abort()
    return tookTooLong
  }
}

const tookTooLong = E.left(failure('UNAVAILABLE', 'the request could not be inspected in time; try again'))
