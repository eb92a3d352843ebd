import type { Failure } from '../failure.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import { E } from '../prelude.ts'
import { storedName, type Projection } from '../definition/projection.ts'
import { follow } from '../following/follow.ts'
import type { Follower, FollowPorts } from '../following/follower.ts'
import { handleOf } from './handle.ts'
import { parentsIn } from './parents.ts'

/** Keeps the rows of one projection up to date: a follower that stores the rows of the projection. */
export type Runner = Follower & {
  /** Whether an organization below this one is parked. As `holds`, it also checks then whether it was released meanwhile. */
  readonly holdsBelow: (organization: string) => Promise<E.Either<Failure, boolean>>
}

export type RunnerPorts = FollowPorts & { readonly telemetry?: Telemetry | undefined }

export const runner = async (
  { telemetry, ...ports }: RunnerPorts,
  projection: Projection,
): Promise<E.Either<Failure, Runner>> => {
  const parents = parentsIn(ports.storage.store)
  const handle = handleOf(projection, projection.parents === true ? parents : undefined)
  const followed = await follow(ports, storedName(projection), {
    types: projection.types,
    parts: projection.parts ?? true,
    handle: (event, position, _, parts) => handle(event, position, parts),
    onRewound: parents.forget,
  })
  if (E.isLeft(followed)) return followed
  const { lag, parked, parkedCount, holds, close } = followed.right
  const attributes = { projection: projection.name }
  const stops = [
    telemetry?.observe('countersign.projection.lag', attributes, lag),
    telemetry?.observe('countersign.projection.parked', attributes, parkedCount),
  ]
  return E.right({
    ...followed.right,
    holdsBelow: async (above) => {
      for (const { organization } of parked()) {
        const found = await parents.read(organization)
        if (E.isLeft(found)) return found
        if (found.right.parent?.organizationId === above && holds(organization)) return E.right(true)
      }
      return E.right(false)
    },
    close: async () => {
      for (const stop of stops) stop?.()
      await close()
    },
  })
}
