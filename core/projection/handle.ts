import type { Projection } from '../definition/projection.ts'
import type { Failure } from '../failure.ts'
import type { Event } from '../log/event.ts'
import type { Parts } from '../log/parts.ts'
import type { RowChange } from '../ports/read-models.ts'
import { rowChanges } from '../ports/row-changes.ts'
import { E } from '../prelude.ts'
import type { Parents } from './parents.ts'

type Handle = (
  event: Event,
  position: bigint,
  parts: Parts,
) => readonly RowChange[] | Promise<E.Either<Failure, readonly RowChange[]>>

/** Gives events to a projection, with the parents of their organizations. It waits only where a parent has to be read. */
export const handleOf = ({ project }: Pick<Projection, 'project'>, parents: Parents | undefined): Handle => {
  if (parents === undefined) return (event, position, parts) => rowChanges(project(event, position, parts))
  return (event, position, parts) => {
    const known = parents.known(event, position)
    if (known !== undefined) return rowChanges(project(event, position, parts, known.parent))
    return parents
      .read(event.organization)
      .then(E.map(({ parent }) => rowChanges(project(event, position, parts, parent))))
  }
}
