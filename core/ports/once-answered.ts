import type { Failure } from '../failure.ts'
import { E, type TE } from '../prelude.ts'

/** Runs a task once, and keeps its answer; it runs again only where the answer was a failure. */
export const onceAnswered = <A>(task: TE.TaskEither<Failure, A>): TE.TaskEither<Failure, A> => {
  let answer: Promise<E.Either<Failure, A>> | undefined
  const run = async (): Promise<E.Either<Failure, A>> => {
    const given = await task()
    if (E.isLeft(given)) answer = undefined
    return given
  }
  return () => (answer ??= run())
}
