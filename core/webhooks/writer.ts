import type { Failure } from '../failure.ts'
import type { RowChange } from '../ports/read-models.ts'
import type { E } from '../prelude.ts'

/** Writes changes of many callers in few transactions: those that come while one is written are written together. */
export const writer = (write: (changes: readonly RowChange[]) => Promise<E.Either<Failure, void>>) => {
  let waiting: RowChange[] = []
  let writing: Promise<E.Either<Failure, void>> | undefined
  let next: Promise<E.Either<Failure, void>> | undefined

  const begin = async (): Promise<E.Either<Failure, void>> => {
    await writing
    const changes = waiting
    waiting = []
    next = undefined
    writing = write(changes)
    return writing
  }

  /** Resolves when they are written. */
  return (changes: readonly RowChange[]): Promise<E.Either<Failure, void>> => {
    waiting.push(...changes)
    return (next ??= begin())
  }
}
