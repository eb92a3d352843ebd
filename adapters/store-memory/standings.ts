import {
  PENDING,
  type ActivitySelection,
  type ActivityStanding,
  type ListedActivity,
  type Recorded,
  type Standing,
} from '../../core/ports/event-store.ts'

/** The standings of activities. Their places are those of their first events. */
export type MemoryStandings = {
  readonly set: (standing: ActivityStanding) => void
  /** @param log  the events of an organization */
  readonly select: (log: readonly Recorded[], selection: ActivitySelection) => readonly ListedActivity[]
  /** @param all  the events of all organizations */
  readonly pending: (all: readonly Recorded[], after: bigint, limit: number) => readonly ListedActivity[]
}

/** @param keyOf  names an activity of an organization */
export const memoryStandings = (keyOf: (organization: string, activity: string) => string): MemoryStandings => {
  const standings = new Map<string, Standing>()

  /** The listed activities among those that begin with one of these events, at most so many. */
  const listed = (
    events: Iterable<Recorded>,
    limit: number,
    isWanted: (one: ListedActivity) => boolean,
  ): readonly ListedActivity[] => {
    const found: ListedActivity[] = []
    for (const { organization, activity, sequence, position, revision } of events) {
      if (found.length >= limit) break
      const { type, status } = (revision === 1n && standings.get(keyOf(organization, activity))) || UNLISTED
      if (type === undefined) continue
      const one = { organization, activity, sequence, position, type, status }
      if (isWanted(one)) found.push(one)
    }
    return found
  }

  return {
    set: ({ organization, activity, type, status }) => {
      const key = keyOf(organization, activity)
      standings.set(key, { type: type ?? standings.get(key)?.type, status })
    },
    select: (log, { limit, ascending = false, after, types, statuses }) =>
      listed(
        ascending ? log : newestFirst(log),
        limit,
        ({ sequence, type, status }) =>
          (after === undefined || (ascending ? sequence > after : sequence < after)) &&
          types?.includes(type) !== false &&
          statuses?.includes(status) !== false,
      ),
    pending: (all, after, limit) =>
      listed(all, limit, ({ position, status }) => position > after && status === PENDING),
  }
}

const UNLISTED: Standing = { status: '' }

function* newestFirst<A>(list: readonly A[]): Generator<A> {
  for (let i = list.length - 1; i >= 0; i -= 1) yield list[i] as A // within the list
}
