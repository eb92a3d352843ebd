import { E } from '../prelude.ts'
import { failure, type Failure } from '../failure.ts'
import type { Storage } from '../ports/storage.ts'

/**
 * Takes an open store for what it has beside its log, for a log that is kept elsewhere. Closing the read models closes the store.
 *
 * @param place  what the store is in, for the message that it has events: its read models follow those
 */
export const besideLog = async <S extends Storage>(
  { store, ...beside }: S,
  place: string,
): Promise<E.Either<Failure, Omit<S, 'store'>>> => {
  const close = async (): Promise<void> => {
    await beside.readModels.close()
    await store.close()
  }
  const last = await store.lastPosition()()
  if (E.isRight(last) && last.right === 0n) return E.right({ ...beside, readModels: { ...beside.readModels, close } })
  await close()
  const message = `${place} has a log of its own: name another one for the read models`
  return E.isLeft(last) ? last : E.left(failure('CONFIGURATION_INVALID', message))
}
