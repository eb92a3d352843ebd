import { isFinished } from '../activity/activity.ts'
import { resumeAfter, type Operation } from '../definition/operation.ts'
import type { LiveActivity } from '../deciding/live-activity.ts'
import { failed } from '../deciding/payloads.ts'
import { conclude, limitsOf, startAgain } from '../deciding/trying.ts'
import type { Proposal, Rules } from '../deciding/proposal.ts'
import { failure, type Failure, type Json } from '../failure.ts'
import type { EventPayload, PayloadWithParts } from '../log/event.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import { E } from '../prelude.ts'
import type { Troubles } from '../telemetry/troubles.ts'
import { attemptOf, isNewest, RETRY_AFTER_MS, type Attempt, type AttemptTurns } from './attempt-turns.ts'
import type { EffectJobs } from './effect-jobs.ts'
import type { Work } from './work.ts'

/** What the attempts at effects need. */
export type Attempting = {
  readonly rules: Rules
  readonly telemetry: Telemetry | undefined
  readonly accidents: Pick<Troubles, 'note'>
  readonly turns: AttemptTurns
  readonly work: Pick<Work, 'perform' | 'isClosing' | 'isOver'>
  readonly jobs: Pick<EffectJobs, 'resumeLater'>
}

export const operationOf = ({ catalogue }: Rules, { activity }: LiveActivity): Operation | undefined =>
  catalogue.byType(activity.type)?.operation

/** Does the work of an attempt, and concludes the activity with it, or lets another attempt follow. @param lost  aborts the work */
export const runAttempt = async (
  attempting: Attempting,
  attempt: Attempt,
  checked: unknown,
  lost: AbortSignal,
): Promise<void> => {
  const { rules, turns, work, jobs } = attempting
  const found = await turns.find(attempt)
  if (E.isLeft(found)) return jobs.resumeLater(attempt, RETRY_AFTER_MS)
  const live = found.right
  if (live === undefined || !isNewest(live, attempt) || work.isClosing()) return
  const operation = operationOf(rules, live)
  if (operation?.perform === undefined) return
  if (live.decoded === undefined) return void (await turns.happen(attempt, interrupted))
  const resumeAfterMs = resumeAfter(operation.perform, attempt.attempt)
  const { activityId, requester, updatedAtMs } = live.activity
  const context = { activityId, requester, atMs: updatedAtMs, attempt: attempt.attempt } // the last event is the start
  const outcome = await work.perform(operation, { decoded: live.decoded, checked, context }, lost)
  if (E.isLeft(outcome) && lost.aborted) return jobs.resumeLater(attempt, resumeAfterMs) // another process may have it now
  if (work.isOver() || (E.isLeft(outcome) && work.isClosing())) return // the next start of the engine takes it up
  const { attemptsMax } = operation.perform
  if (E.isLeft(outcome) && outcome.left.code === 'UNAVAILABLE' && attempt.attempt < attemptsMax)
    return jobs.resumeLater(attempt, resumeAfterMs)
  const concluded = await turns.happen(attempt, conclusionOf(rules, live, outcome))
  if (concluded === undefined) jobs.resumeLater(attempt, resumeAfterMs)
  else if (E.isRight(outcome))
    tellFailed(attempting, concluded, 'the work of an operation was done, and its activity failed')
}

const conclusionOf =
  (rules: Rules, { activity }: LiveActivity, outcome: E.Either<Failure, Json>) =>
  (proposal: Proposal): PayloadWithParts =>
    E.isLeft(outcome)
      ? failed(proposal, outcome.left)
      : conclude(rulesOf(rules, activity), proposal, activity.requester, outcome.right).payload

/** The rules, with the limits under which the effects were started. */
const rulesOf = (rules: Rules, activity: LiveActivity['activity']): Rules => ({
  ...rules,
  limits: limitsOf(rules.catalogue, activity, rules.limits),
})

/** What follows an attempt of which nobody works any more. */
export const tryAgain = async (
  attempting: Attempting,
  { activity, decoded }: LiveActivity,
  operation: Operation,
  lost: AbortSignal,
): Promise<void> => {
  const { rules, turns, telemetry, jobs } = attempting
  const { organizationId, activityId, attempt, requester, resumeAtMs } = activity
  const how = operation.perform
  if (how === undefined) return
  const mayRepeat = decoded !== undefined && how.whenInterrupted === 'retry' && attempt < how.attemptsMax
  let checked: unknown
  const again = (proposal: Proposal): EventPayload => {
    const started = startAgain(rulesOf(rules, activity), proposal, requester, attempt + 1)
    checked = started.checked
    return started.payload
  }
  // The clock may have gone back since it was asked whether the attempt is due, or be far behind that of the process before.
  const last = { organizationId, activityId, attempt }
  const next = await turns.happen(last, mayRepeat ? again : interrupted, resumeAtMs)
  if (next === undefined) return jobs.resumeLater(last, resumeAfter(how, attempt))
  if (!mayRepeat) {
    telemetry?.count('countersign.attempt_failures', 1, { type: operation.type, code: INTERRUPTED })
    tellFailed(attempting, next, 'the work of an operation was interrupted, and nobody knows whether it was done')
  }
  if (!isFinished(next.activity)) await runAttempt(attempting, attemptOf(next), checked, lost)
}

/** Tells the operator of an activity that failed although its work was done, or may have been done. */
const tellFailed = (
  { accidents }: Attempting,
  { activity: { type, activityId, attempt, failure: cause } }: LiveActivity,
  message: string,
): void => {
  if (cause === undefined) return
  const { code } = cause
  accidents.note(`${type} ${code} ${message}`, () => ({
    level: 'error',
    message,
    context: { operation: type, activity: activityId, attempt, code },
  }))
}

const INTERRUPTED = 'INTERRUPTED'

export const interrupted = (proposal: Proposal): EventPayload =>
  failed(proposal, failure(INTERRUPTED, 'the effect was interrupted, and its outcome is not known; it is not repeated'))
