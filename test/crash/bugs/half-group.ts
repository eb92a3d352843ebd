import type { Appended, Commit, EventStore } from '../../../core/ports/event-store.ts'
import type { Failure } from '../../../core/failure.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { E } from '../../../core/prelude.ts'

const BETWEEN_MS = 3

/** Writes one half of a group, then the other: each by itself is durable, and between them a commit is there by half. */
export const inHalves = ({ store, readModels }: Storage): Storage => ({
  readModels,
  store: {
    ...store,
    append: (commits) => async () => {
      const answers: Appended[] = []
      for (const commit of commits) {
        const appended = await appendInHalves(store, commit)
        if (E.isLeft(appended)) return appended
        answers.push(appended.right)
      }
      return E.right(answers)
    },
  },
})

const appendInHalves = async (store: EventStore, commit: Commit): Promise<E.Either<Failure, Appended>> => {
  const [first, ...rest] = commit.events
  if (first === undefined || rest.length === 0) return only(await store.append([commit])())
  const begun = only(await store.append([{ ...commit, events: [first] }])())
  if (E.isLeft(begun) || begun.right._tag !== 'committed') return begun
  await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS))
  return only(await store.append([{ ...commit, expected: begun.right.sequence, events: rest }])())
}

const only = (appended: E.Either<Failure, readonly Appended[]>): E.Either<Failure, Appended> =>
  E.map(([answer]: readonly Appended[]): Appended => answer ?? { _tag: 'invalid', reason: 'no answer' })(appended)
