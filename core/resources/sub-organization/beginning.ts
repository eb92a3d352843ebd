import * as t from '../../codec/t.ts'
import type { OnceToken } from '../../definition/operation.ts'
import type { Failure } from '../../failure.ts'
import type { TE } from '../../prelude.ts'
import { keysSaid, type Begun } from '../organization/create-organization.ts'
import { begunKeys, type KeysBelow, type PublicKeysBelow } from './keys-below.ts'

export { BEGINNING } from '../../definition/begins.ts'

/** With what an organization below another one begins: the value of `check`. An audit wants it in the log as it was then. */
export type ToBegin = Begun & {
  readonly parentId: string
  readonly keys: KeysBelow
  /** The token that is used up, and until when it could be used. */
  readonly token?: OnceToken | undefined
  /** The identity tokens of its users, in order. */
  readonly tokens?: readonly string[] | undefined
}

/** The beginning as its log has it. */
export const begunWith = ({ keys, token: _, tokens: __, ...begun }: ToBegin, publicKeys: PublicKeysBelow): Begun => ({
  ...begun,
  ...begunKeys(keys, publicKeys),
})

/**
 * The hash of the second line of its log, and what is shown of its keys. The hash stands in the parent's log, so a pin on the parent pins what
 * is below.
 */
export const BegunBelow = t.fields({ genesisHash: t.string }, keysSaid)
export type BegunBelow = t.TypeOf<typeof BegunBelow>

/**
 * Begins organizations below another one. The engine itself has this service; an operation with effects outside gets it by the port
 * `countersign.beginning`. Each activity begins one: its id is the first id of the activity.
 */
export type Beginning = {
  /**
   * Begins it, or finds that it has begun. `CONFLICT` if another log stands under its id; whatever else comes between is `UNAVAILABLE`, and
   * the next attempt goes on.
   *
   * @param activityId  the activity, in the log of the parent
   * @param makeKeys  makes the keys with which it begins, or finds them made: it is asked unless the organization has begun already
   */
  readonly begin: (
    organization: ToBegin,
    activityId: string,
    makeKeys: () => Promise<PublicKeysBelow>,
  ) => TE.TaskEither<Failure, BegunBelow>
}
