import type { Failure, Json } from '../failure.ts'
import { E } from '../prelude.ts'
import type { ActivityView } from '../query/activity-view.ts'
import type { Authenticated, Caller } from './authenticate.ts'
import type { Cell, LiveActivity } from './cell.ts'
import { denial, type Proposal, type Rules } from './turn.ts'
import { viewOf } from './view.ts'

/** One turn: the state it is taken on, who asks, and the one clock reading that it uses. */
export type Turn = {
  readonly rules: Rules
  readonly cell: Cell
  readonly request: Authenticated
  readonly caller: Caller
  /** The time of the log. */
  readonly atMs: number
  /** What the clock says: how old a request is, is asked of it. */
  readonly clockMs: number
  /** The activity that the command is about, as far as it was found: in memory, or where it was looked up. */
  readonly live: LiveActivity | undefined
  /** Whether the store was asked for the activity, so that what is not in memory does not exist. */
  readonly isLookedUp: boolean
  /** What `perform` brought; `undefined` before it ran. */
  readonly performed: E.Either<Failure, Json> | undefined
}

/** What a turn came to. */
export type Turned =
  /** An answer; `started` is the activity whose effects outside are to begin once it is durable. */
  | {
      readonly _tag: 'answer'
      readonly answer: E.Either<Failure, ActivityView>
      readonly started: LiveActivity | undefined
    }
  /** The activity may be in the store: look there, then take the turn again. */
  | { readonly _tag: 'look-up'; readonly activityId: string }
  /** Allowed, but there is work to do first: do it, then take the turn again. */
  | { readonly _tag: 'perform'; readonly proposal: Proposal; readonly requester: string }

export const refused = (refusal: Failure): Turned => ({ _tag: 'answer', answer: E.left(refusal), started: undefined })

/** The activity as it stands, to the caller of this turn. */
export const shown = ({ rules, cell, caller, atMs }: Turn, live: LiveActivity, started = false): Turned => ({
  _tag: 'answer',
  answer: E.right(viewOf(cell.state, rules.catalogue, live, caller.userId, atMs)),
  started: started ? live : undefined,
})

/** As `shown`, to the requester: one that was denied is a failure, whenever it is asked for. */
export const shownToRequester = (turn: Turn, live: LiveActivity, started = false): Turned => {
  const verdict = live.activity.votes[live.activity.votes.length - 1]?.decision.verdict
  return verdict?.outcome === 'DENIED' ? refused(denial(verdict)) : shown(turn, live, started)
}
