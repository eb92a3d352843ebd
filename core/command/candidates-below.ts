import { rowReader } from '../definition/projection.ts'
import { valueOf } from '../definition/refuse.ts'
import { failureOf } from '../countersign-error.ts'
import type { Failure } from '../failure.ts'
import { E } from '../prelude.ts'
import { foundBelow, notEnded, type ReadRows } from '../resources/sub-organization/found-below.ts'
import { subOrganizations } from '../resources/sub-organization/sub-organizations.ts'
import { caughtUp, wholeStore, type CaughtUpPorts } from './caught-up.ts'

/**
 * The organizations below one with rows of a facet, each once, page by page, newest first. All that was durable at the first page is
 * counted. Those that have it are among them, and some that had it: ask their states. A page may be empty. A failure is the last that it
 * gives. An engine without the projection finds none.
 */
export async function* candidatesBelow(
  ports: CaughtUpPorts,
  parentId: string,
  { first, ascending }: { readonly first: string; readonly ascending?: boolean },
): AsyncGenerator<E.Either<Failure, readonly string[]>, void> {
  if (ports.runnerOf(subOrganizations.name) === undefined) return
  const { readModels } = ports.storage
  const wanted = wholeStore(ports.storage, parentId)
  const read = rowReader(subOrganizations)
  const readRows: ReadRows = async (selection) => {
    const projection = valueOf(await caughtUp(ports, subOrganizations, wanted))
    return valueOf(await readModels.rows(projection, parentId, selection)()).map(({ value }) => read(value))
  }
  try {
    for await (const ids of foundBelow(readRows, { first, ascending })) yield E.right(await notEnded(readRows, ids))
  } catch (thrown) {
    const cause = failureOf(thrown)
    if (cause === undefined) throw thrown
    yield E.left(cause)
  }
}
