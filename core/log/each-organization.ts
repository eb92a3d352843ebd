import type { Failure } from '../failure.ts'
import type { EventStore } from '../ports/event-store.ts'
import { E } from '../prelude.ts'

const PAGE = 1_000

/** The ids of all organizations of a store, page by page. A failure is the last that it gives. */
export async function* eachOrganization(
  store: Pick<EventStore, 'organizations'>,
): AsyncGenerator<E.Either<Failure, string>, void> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const ids: E.Either<Failure, readonly string[]> = await store.organizations(after, PAGE)()
    if (E.isLeft(ids)) {
      yield ids
      return
    }
    for (const id of ids.right) yield E.right(id)
    after = ids.right.at(-1)
  }
}
