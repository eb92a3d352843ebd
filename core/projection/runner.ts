import type { Failure } from '../failure.ts'
import { rowChanges } from '../ports/row-changes.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import { E } from '../prelude.ts'
import { storedName, type Projection } from '../definition/projection.ts'
import { follow } from '../following/follow.ts'
import type { Follower, FollowPorts } from '../following/follower.ts'

/** Keeps the rows of one projection up to date: a follower that stores the rows of the projection. */
export type Runner = Follower

export type RunnerPorts = FollowPorts & { readonly telemetry?: Telemetry | undefined }

export const runner = async (
  { telemetry, ...ports }: RunnerPorts,
  projection: Projection,
): Promise<E.Either<Failure, Runner>> => {
  const followed = await follow(ports, storedName(projection), {
    types: projection.types,
    parts: projection.parts ?? true,
    handle: (event, position, _, parts) => rowChanges(projection.project(event, position, parts)),
  })
  if (E.isLeft(followed)) return followed
  const { lag, parkedCount, close } = followed.right
  const attributes = { projection: projection.name }
  const stops = [
    telemetry?.observe('countersign.projection.lag', attributes, lag),
    telemetry?.observe('countersign.projection.parked', attributes, parkedCount),
  ]
  return E.right({
    ...followed.right,
    close: async () => {
      for (const stop of stops) stop?.()
      await close()
    },
  })
}
