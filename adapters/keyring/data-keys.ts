import { randomBytes } from 'node:crypto'
import { boundedMap } from '../../core/collections/bounded-map.ts'
import { failure, type Failure } from '../../core/failure.ts'
import type { Keystore } from '../../core/ports/keystore.ts'
import { onceAnswered } from '../../core/ports/once-answered.ts'
import { E, type TE } from '../../core/prelude.ts'
import type { DataKey } from './sealing.ts'

/** The data keys of a process. */
export type DataKeys = {
  /** The one under which this process seals: made when it is first needed, and the same from then on. */
  readonly own: TE.TaskEither<Failure, DataKey>
  /** A data key that the keystore has wrapped. The keystore unwraps each once. */
  readonly unwrap: (wrapped: string) => TE.TaskEither<Failure, Uint8Array>
}

export const dataKeysOf = (keystore: Keystore): DataKeys => {
  const unwrapped = boundedMap<string, Uint8Array>(KEYS_MAX)
  const make = async (): Promise<E.Either<Failure, DataKey>> => {
    const key = new Uint8Array(randomBytes(KEY_BYTES))
    const wrapped = await answerOf(() => keystore.wrap(key))
    if (E.isLeft(wrapped)) return wrapped
    unwrapped.set(wrapped.right, key)
    return E.right({ key, wrapped: wrapped.right })
  }
  return {
    own: onceAnswered(make),
    unwrap: (wrapped) => async () => {
      const known = unwrapped.get(wrapped)
      if (known !== undefined) return E.right(known)
      const key = E.flatMap(whole)(await answerOf(() => keystore.unwrap(wrapped)))
      if (E.isRight(key)) unwrapped.set(wrapped, key.right)
      return key
    },
  }
}

/** The keystore may be a host's. What it throws may hold a secret, so it goes no further. */
const answerOf = async <A>(task: () => TE.TaskEither<Failure, A>): Promise<E.Either<Failure, A>> => {
  try {
    return await task()()
  } catch {
    return E.left(failure('INTERNAL', 'the keystore has thrown an error in place of answering'))
  }
}

/** In memory of its own: it goes to another thread, and memory that it shares would go with it. */
const whole = (key: Uint8Array): E.Either<Failure, Uint8Array> =>
  key.length === KEY_BYTES
    ? E.right(Uint8Array.from(key))
    : E.left(failure('INTERNAL', `the keystore has unwrapped something else than a data key of ${KEY_BYTES} bytes`))

const KEY_BYTES = 32

/** Each process that has sealed anything has one. */
const KEYS_MAX = 10_000
