import type { Appended, Commit, EventStore } from '../../../../core/ports/event-store.ts'
import type { Failure } from '../../../../core/failure.ts'
import type { Storage } from '../../../../core/ports/storage.ts'
import { E } from '../../../../core/prelude.ts'
import { appendAlone, oneByOne } from './one-by-one.ts'

const BETWEEN_MS = 10

/** Writes one half of a group, then the other: each by itself is durable, and between them a commit is there by half. */
export const inHalves = (storage: Storage): Storage => oneByOne(storage, appendInHalves)

const appendInHalves = async (store: EventStore, commit: Commit): Promise<E.Either<Failure, Appended>> => {
  const [first, ...rest] = commit.events
  if (first === undefined || rest.length === 0) return appendAlone(store, commit)
  const begun = await appendAlone(store, { ...commit, events: [first] })
  if (E.isLeft(begun) || begun.right._tag !== 'committed') return begun
  await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS))
  return appendAlone(store, { ...commit, expected: begun.right.sequence, events: rest })
}
