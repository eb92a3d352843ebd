import type { Appended, EventStore, Recorded } from '../../../core/ports/event-store.ts'
import { TE } from '../../../core/prelude.ts'

/** How far positions are apart, on average. */
const APART = 7n

/**
 * Over another store, one that promises less: positions have gaps, and the commits of one call are appended in the order of their
 * organizations' ids.
 */
export const sparseStore = (store: EventStore): EventStore => {
  const sparse = (position: bigint): bigint => position * APART + (position % 3n)
  const dense = (position: bigint): bigint => {
    let found = position / APART
    while (sparse(found) > position) found -= 1n
    return found
  }
  const shown = (recorded: Recorded): Recorded => ({ ...recorded, position: sparse(recorded.position) })
  return {
    ...store,
    capabilities: { ...store.capabilities, gaplessPositions: false, ordersCommits: false },
    append: (commits) => {
      const inOrder = commits
        .map((commit, index) => ({ commit, index }))
        .toSorted((a, b) => compared(a.commit.organization, b.commit.organization) || a.index - b.index)
      return TE.map((appended: readonly Appended[]) =>
        inOrder
          .map(({ index }, at) => ({ index, answer: appended[at] }))
          .toSorted((a, b) => a.index - b.index)
          .flatMap(({ answer }) => (answer === undefined ? [] : [answer])),
      )(store.append(inOrder.map(({ commit }) => commit)))
    },
    readAll: (after, ...asked) =>
      TE.map((events: readonly Recorded[]) => events.map(shown))(store.readAll(dense(after), ...asked)),
    lastPosition: () => TE.map(sparse)(store.lastPosition()),
  }
}

const compared = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)
