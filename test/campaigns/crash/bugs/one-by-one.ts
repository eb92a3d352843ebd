import type { Failure } from '../../../../core/failure.ts'
import type { Appended, Commit, EventStore } from '../../../../core/ports/event-store.ts'
import type { Storage } from '../../../../core/ports/storage.ts'
import { E } from '../../../../core/prelude.ts'

type Answer = E.Either<Failure, Appended>

/** A store that appends each commit of a group by itself, in its own way. */
export const oneByOne = (
  { store, readModels }: Storage,
  append: (store: EventStore, commit: Commit) => Promise<Answer>,
): Storage => ({
  readModels,
  store: {
    ...store,
    append: (commits) => async () => {
      const answers: Appended[] = []
      for (const commit of commits) {
        const appended = await append(store, commit)
        if (E.isLeft(appended)) return appended
        answers.push(appended.right)
      }
      return E.right(answers)
    },
  },
})

/** The answer to a commit that was appended alone. */
export const appendAlone = async (store: EventStore, commit: Commit): Promise<Answer> =>
  E.map(([answer]: readonly Appended[]): Appended => answer ?? { _tag: 'invalid', reason: 'no answer' })(
    await store.append([commit])(),
  )
