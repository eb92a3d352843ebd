import type { Failure } from '../../../core/failure.ts'
import type { Appended, Head } from '../../../core/ports/event-store.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { TE } from '../../../core/prelude.ts'

/**
 * Every second position is left out, so that there are gaps within commits, and small ones: where there is much room between commits, whoever
 * counts positions back reads the store again and gets them right.
 */
const spread = (position: bigint): bigint => position + position / 2n
/** The last position that is spread to this one, or to one before it. */
const gathered = (position: bigint): bigint => {
  const near = (position * 2n) / 3n + 1n
  return spread(near) > position ? near - 1n : near
}

const apart = <A extends { readonly position: bigint }>(one: A): A => ({ ...one, position: spread(one.position) })

/** The same store, but its positions have gaps between them, as those of a store have that shares its log with others. */
export const withGaps = ({ store, ...others }: Storage): Storage => ({
  ...others,
  store: {
    ...store,
    capabilities: { ...store.capabilities, gaplessPositions: false },
    append: (commits) => TE.map((answers: readonly Appended[]) => answers.map(answered))(store.append(commits)),
    readLog: (...asked) => mapped(store.readLog(...asked)),
    readActivity: (...asked) => mapped(store.readActivity(...asked)),
    readAll: (after, ...asked) => mapped(store.readAll(gathered(after), ...asked)),
    activities: (...asked) => mapped(store.activities(...asked)),
    pending: (after, limit) => mapped(store.pending(gathered(after), limit)),
    head: (organization) =>
      TE.map((head: Head | undefined) => (head === undefined ? undefined : apart(head)))(store.head(organization)),
    lastPosition: () => TE.map(spread)(store.lastPosition()),
  },
})

const mapped = <A extends { readonly position: bigint }>(
  read: TE.TaskEither<Failure, readonly A[]>,
): TE.TaskEither<Failure, readonly A[]> => TE.map((all: readonly A[]) => all.map(apart))(read)

const answered = (answer: Appended): Appended => ('position' in answer ? apart(answer) : answer)
