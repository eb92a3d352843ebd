import { equal } from '../bytes.ts'
import { failure, type Failure } from '../failure.ts'
import { IMPORT_UNFINISHED, type EventStore, type Recorded } from '../ports/event-store.ts'
import { E } from '../prelude.ts'
import type { Logged } from './transcript-check.ts'

/** A store into which an import or a copy may have been begun before, and interrupted. */
export type BegunStore = Pick<EventStore, 'importedTo' | 'lastPosition' | 'readAll'>

/** What is written into the store. */
type What = 'import' | 'copy'

/** How far a store is: the position up to which it has a log, and whether that is finished, and not only begun. */
type BegunUpTo = { readonly last: bigint; readonly isFinished: boolean }

/** Finds out what a store has already; `last` is 0 if it is empty. */
export const begunUpTo = async (store: BegunStore): Promise<E.Either<Failure, BegunUpTo>> => {
  const last = await store.lastPosition()()
  if (E.isLeft(last)) return last
  if (last.right === 0n) return E.right({ last: 0n, isFinished: false })
  return E.map((mark) => ({ last: last.right, isFinished: mark !== IMPORT_UNFINISHED }))(await store.importedTo()())
}

type Range = { readonly after: bigint; readonly last: bigint }

/** Compares events with those that the store has in a range: how many of them are there, and the position of the last one. */
export const sameEvents = async (
  store: BegunStore,
  { after, last }: Range,
  group: readonly Logged[],
  what: What,
): Promise<E.Either<Failure, { readonly count: number; readonly position: bigint }>> => {
  let count = 0
  let position = after
  while (count < group.length && position < last) {
    const page = await store.readAll(position, group.length - count)()
    if (E.isLeft(page)) return page
    const end = page.right.at(-1)
    const begun = count
    if (end === undefined || !page.right.every((recorded, index) => isEqual(recorded, group[begun + index])))
      return E.left(differs(what))
    count += page.right.length
    position = end.position
  }
  return E.right({ count, position })
}

const isEqual = ({ id, line, parts }: Recorded, logged: Logged | undefined): boolean =>
  logged !== undefined &&
  id === logged.event.id &&
  equal(line, logged.bytes) &&
  parts.length === logged.parts.length &&
  logged.parts.every((part) => {
    const there = parts.find(({ name }) => name === part.name)
    return there !== undefined && equal(there.salt, part.salt) && equal(there.bytes, part.bytes)
  })

/** The refusal of a store that has a log already. */
export const notEmpty = (what: What): Failure =>
  what === 'copy'
    ? failure('CONFLICT', 'expected an empty store, an equal copy, or one that was interrupted; copy into a new one')
    : failure('CONFLICT', 'expected an empty store, or an import that was interrupted; import into a new one')

/** The refusal of a store whose log does not begin as the one that is written. */
export const differs = (what: What): Failure =>
  failure('CONFLICT', `the store holds another log than the beginning of this one; ${what} into a new one`)
