import type { Failure } from '../failure.ts'
import type { TE } from '../prelude.ts'

/**
 * Keeps the key that opens all others, outside of the store: it wraps the data keys under which sealed rows are encrypted. Whoever has the
 * store alone opens nothing.
 */
export interface Keystore {
  /**
   * Wraps a data key of 32 bytes, so that only this keystore can unwrap it.
   *
   * @returns `UNAVAILABLE` if the keystore does not answer
   */
  readonly wrap: (dataKey: Uint8Array) => TE.TaskEither<Failure, string>
  /**
   * The data key.
   *
   * @returns `CONFIGURATION_INVALID` if another keystore has wrapped it; `UNAVAILABLE` if the keystore does not answer
   */
  readonly unwrap: (wrapped: string) => TE.TaskEither<Failure, Uint8Array>
}
