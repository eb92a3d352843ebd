import type { Failure } from '../failure.ts'
import { E } from '../prelude.ts'
import type { ActivityView } from '../view/activity-view.ts'
import type { Caller } from '../organization/credential.ts'
import type { Authenticated } from './authenticate.ts'
import type { Cell } from '../writing/cell.ts'
import type { OtherCells } from '../writing/other-cells.ts'
import type { LiveActivity } from '../deciding/live-activity.ts'
import { denial } from '../deciding/denial.ts'
import type { Work } from '../deciding/trying.ts'
import type { Decided } from '../deciding/decide.ts'
import type { Proposal, Rules } from '../deciding/proposal.ts'
import type { DecodedIntent, Operation } from '../definition/operation.ts'
import type { Sight } from './home.ts'
import { viewOf } from './view.ts'

/** One turn: the state on which it decides, who asks, and the one clock reading that it uses. */
export type Turn = {
  readonly rules: Rules
  readonly cell: Cell
  /** That of the organization which has the caller as a user. */
  readonly home: Cell
  readonly request: Authenticated
  readonly caller: Caller
  /** The time of the log. */
  readonly atMs: number
  /** What the clock says. The age of a request is measured by it. */
  readonly clockMs: number
  /** The activity that the command is about; `undefined` where neither memory nor a look-up has it. */
  readonly live: LiveActivity | undefined
  /** Whether the store was asked for the activity: then `live` is `undefined` only if there is no such activity. */
  readonly isLookedUp: boolean
  /** What `inspect` found out about the request; `undefined` before it ran. */
  readonly inspected: E.Either<Failure, DecodedIntent> | undefined
  /** What `perform` was given, and its outcome; `undefined` before it ran. */
  readonly work: Work | undefined
  /** The other organizations that were loaded for it, or why they cannot be read. */
  readonly cells: E.Either<Failure, OtherCells>
}

/** The answer of a turn. `started` is the activity whose effects outside begin once the answer is durable. */
export type Answered = {
  readonly _tag: 'answer'
  readonly answer: E.Either<Failure, ActivityView>
  readonly started: Started | undefined
}

/** What has to be done before the turn can be taken again. */
export type Step =
  /** The activity may be in the store: look there. */
  | { readonly _tag: 'look-up' }
  /** The operation reads other organizations: load them. */
  | { readonly _tag: 'read'; readonly ids: readonly string[] }
  /** The request has to be inspected. */
  | { readonly _tag: 'inspect'; readonly operation: Operation; readonly decoded: DecodedIntent }
  /** The activity is allowed, but its work comes first. */
  | { readonly _tag: 'perform'; readonly proposal: Proposal; readonly requester: string; readonly checked: unknown }

/** The outcome of a turn. */
export type Turned = Answered | Step

/** An activity whose effects outside begin, and what `check` gave for them. */
export type Started = { readonly live: LiveActivity; readonly checked: unknown }

export const sightOf = ({ cell, home }: Pick<Turn, 'cell' | 'home'>): Sight => ({
  organization: cell.state,
  home: home.state,
})

export const refused = (refusal: Failure): Turned => ({ _tag: 'answer', answer: E.left(refusal), started: undefined })

/** The activity as it stands, to the caller of this turn. */
export const shown = (turn: Turn, live: LiveActivity, started?: Started): Answered => ({
  _tag: 'answer',
  answer: E.right(viewOf(sightOf(turn), turn.rules, live, turn.caller.userId, turn.atMs)),
  started,
})

/** As `shown`, for the requester. A denied activity is a failure, each time that its requester asks for it. */
export const shownToRequester = (turn: Turn, live: LiveActivity, started?: Started): Turned => {
  const verdict = live.activity.votes[live.activity.votes.length - 1]?.decision.verdict
  return verdict?.outcome === 'DENIED' ? refused(denial(verdict)) : shown(turn, live, started)
}

/** The effects outside that a decision begins; `undefined` if it begins none. */
export const startedBy = (
  { payloads, checked }: Extract<Decided, { readonly _tag: 'decided' }>,
  live: LiveActivity,
): Started | undefined => (payloads.some(({ type }) => type === 'ActivityStarted') ? { live, checked } : undefined)
