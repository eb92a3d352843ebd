import { E, TE } from '../../core/prelude.ts'
import { failure, type Failure } from '../../core/failure.ts'
import { LINES, type Appended, type EventStore, type Head } from '../../core/ports/event-store.ts'
import type { Storage } from '../../core/ports/storage.ts'

/**
 * A storage whose positions are counted: 1 for the first event of the store, and so on. Cases expect such positions; a store that leaves gaps
 * is tested by what its reads show. Every position that it answers must be one that `readAll` shows, and is replaced by that event's number.
 */
export const withCountedPositions = (storage: Storage): Storage =>
  storage.store.capabilities.gaplessPositions ? storage : { ...storage, store: counted(storage.store) }

const PAGE = 10_000

const counted = (store: EventStore): EventStore => {
  const positions: bigint[] = []
  const numbers = new Map<bigint, bigint>([[0n, 0n]])

  let reading: Promise<E.Either<Failure, number>> | undefined

  /** Reads on; all who ask meanwhile share the reading. Gives the number of new events. */
  const readOn = (): Promise<E.Either<Failure, number>> => (reading ??= readPage().finally(() => (reading = undefined)))

  const readPage = async (): Promise<E.Either<Failure, number>> => {
    const page = await store.readAll(positions.at(-1) ?? 0n, PAGE, LINES)()
    if (E.isLeft(page)) return page
    for (const { position } of page.right) numbers.set(position, BigInt(positions.push(position)))
    return E.right(page.right.length)
  }

  const numberOf = async (position: bigint): Promise<E.Either<Failure, bigint>> => {
    for (let silent = 0; ;) {
      const number = numbers.get(position)
      if (number !== undefined) return E.right(number)
      // A reading that had begun before the event was appended need not show it.
      if (silent > 1) return E.left(failure('INTERNAL', `no read shows an event at the position ${position}`))
      const read = await readOn()
      if (E.isLeft(read)) return read
      silent = read.right === 0 ? silent + 1 : 0
    }
  }

  /** Behind the last event, all positions are alike. */
  const positionOf = async (number: bigint): Promise<E.Either<Failure, bigint>> => {
    while (number > positions.length) {
      const read = await readOn()
      if (E.isLeft(read)) return read
      if (read.right > 0) continue
      const last = positions.at(-1) ?? 0n
      return E.right(number >= 2n ** 62n ? number : last + number - BigInt(positions.length))
    }
    return E.right(number <= 0n ? 0n : (positions[Number(number) - 1] ?? 0n))
  }

  const numbered = <A extends { readonly position: bigint }>(one: A): TE.TaskEither<Failure, A> =>
    TE.map((position: bigint): A => ({ ...one, position }))(() => numberOf(one.position))
  const all = <A extends { readonly position: bigint }>(
    read: TE.TaskEither<Failure, readonly A[]>,
  ): TE.TaskEither<Failure, readonly A[]> =>
    TE.flatMap((list: readonly A[]) => TE.traverseArray(numbered<A>)(list))(read)
  const behind = <A>(after: bigint, read: (after: bigint) => TE.TaskEither<Failure, A>): TE.TaskEither<Failure, A> =>
    TE.flatMap(read)(() => positionOf(after))
  const answer = (one: Appended): TE.TaskEither<Failure, Appended> =>
    'position' in one ? numbered(one) : TE.right(one)

  return {
    ...store,
    append: (commits) =>
      TE.flatMap((list: readonly Appended[]) => TE.traverseArray(answer)(list))(store.append(commits)),
    readLog: (...args) => all(store.readLog(...args)),
    readActivity: (...args) => all(store.readActivity(...args)),
    readAll: (after, ...args) => all(behind(after, (from) => store.readAll(from, ...args))),
    activities: (...args) => all(store.activities(...args)),
    pending: (after, limit) => all(behind(after, (from) => store.pending(from, limit))),
    head: (organization) =>
      TE.flatMap((head: Head | undefined) => (head === undefined ? TE.right(undefined) : numbered(head)))(
        store.head(organization),
      ),
    lastPosition: () => TE.flatMap((position: bigint) => () => numberOf(position))(store.lastPosition()),
  }
}
