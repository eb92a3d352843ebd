import type * as t from '../../codec/t.ts'
import type { Failure } from '../../failure.ts'
import type { TE } from '../../prelude.ts'
import type { Begun } from '../organization/create-organization.ts'

export { BEGINNING } from '../../definition/begins.ts'

/** With what an organization below another one begins: the value of `check`. An audit wants it in the log as it was then. */
export type ToBegin = t.TypeOf<typeof Begun> & { readonly parentId: string }

/** The hash of the second line of its log. It stands in the parent's log, so a pin on the parent pins what is below. */
export type BegunBelow = { readonly genesisHash: string }

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
   */
  readonly begin: (organization: ToBegin, activityId: string) => TE.TaskEither<Failure, BegunBelow>
}
