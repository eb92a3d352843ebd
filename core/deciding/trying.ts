import type { Activity } from '../activity/activity.ts'
import { resourceIds } from '../activity/identity.ts'
import { defaultsOf, type Catalogue } from '../definition/catalogue.ts'
import type { WrittenExecution } from '../definition/executed.ts'
import { isSameValue } from '../definition/frozen.ts'
import type { Limits } from '../definition/limits.ts'
import { notedLimits } from '../definition/read-limits.ts'
import type { Failure, Json } from '../failure.ts'
import type { ReadLimits } from '../log/decision.ts'
import type { EventPayload, PayloadWithParts } from '../log/event.ts'
import { E } from '../prelude.ts'
import { ownError } from '../telemetry/tell-thrown.ts'
import { statesOf } from './others.ts'
import { completed, failed, started } from './payloads.ts'
import type { Proposal, Rules } from './proposal.ts'

/** What the work was given, and its outcome. */
export type Work = { readonly checked: unknown; readonly outcome: E.Either<Failure, Json> }

/** The outcome of trying an activity, which may be that its work has to be done first; and the limits that were read. */
export type Tried = { readonly outcome: E.Either<Failure, Attempted>; readonly limits: ReadLimits | undefined }
export type Attempted =
  | { readonly _tag: 'executed'; readonly executed: WrittenExecution }
  | { readonly _tag: 'to-perform'; readonly checked: unknown }

/**
 * Tries an activity in a turn. A request without work executes. One with work checks, and executes if the work was done with the same
 * values as `check` gives now; otherwise the work has to be done first.
 *
 * @param work  what was performed before this turn
 */
export const tried = (rules: Rules, proposal: Proposal, requester: string, work: Work | undefined): Tried => {
  const { check, execute, limits } = stepsOn(rules, proposal, requester)
  const outcome = (): Tried['outcome'] => {
    if (!proposal.operation.performs(proposal.decoded.intent)) return executedWith(execute, undefined)
    const checked = check()
    if (E.isLeft(checked)) return checked
    if (work === undefined || !isSameValue(checked.right, work.checked))
      return E.right({ _tag: 'to-perform', checked: checked.right })
    return E.isLeft(work.outcome) ? work.outcome : executedWith(execute, work.outcome.right)
  }
  return { outcome: outcome(), limits: limits() }
}

/**
 * Concludes an activity whose work is done. Effects outside were checked when they were started. They are not checked again after they
 * happened.
 *
 * @returns the conclusion, and what `check` gives where the work has no effects outside
 */
export const conclude = (
  rules: Rules,
  proposal: Proposal,
  requester: string,
  performed: Json | undefined,
): { readonly payload: PayloadWithParts; readonly checked: unknown } => {
  const { operation } = proposal
  const { check, execute, limits } = stepsOn(rules, proposal, requester)
  const hasWorkInside = operation.perform?.outside === false && operation.performs(proposal.decoded.intent)
  const checked = hasWorkInside ? check() : E.right(undefined)
  const outcome = E.isLeft(checked) ? checked : execute(performed)
  return {
    payload: E.isLeft(outcome)
      ? failed(proposal, outcome.left, limits())
      : completed(proposal, outcome.right, limits()),
    checked: E.isLeft(checked) ? undefined : checked.right,
  }
}

/** Begins another attempt at effects outside. Gives its start and what the work gets, or the failure if the operation refuses it now. */
export const startAgain = (
  rules: Rules,
  proposal: Proposal,
  requester: string,
  attempt: number,
): { readonly payload: EventPayload; readonly checked: unknown } => {
  const { outcome, limits } = checkedAgain(rules, proposal, requester, attempt)
  return E.isLeft(outcome)
    ? { payload: failed(proposal, outcome.left, limits), checked: undefined }
    : { payload: started(proposal, attempt, limits), checked: outcome.right }
}

/** What `check` gives for an attempt, or how the operation refuses the activity; and the limits that were read. */
export const checkedAgain = (
  rules: Rules,
  proposal: Proposal,
  requester: string,
  attempt: number,
): { readonly outcome: E.Either<Failure, unknown>; readonly limits: ReadLimits | undefined } => {
  const { check, execute, limits } = stepsOn(rules, proposal, requester, attempt)
  const outcome = proposal.operation.performs(proposal.decoded.intent) ? check() : execute(undefined)
  return { outcome, limits: limits() }
}

/** The steps of an operation in a turn, and the limits that they have read so far. */
const stepsOn = (rules: Rules, proposal: Proposal, requester: string, attempt = 1) => {
  const { operation, decoded, organization, activityId, atMs } = proposal
  const others = statesOf(proposal.others, organization.organizationId)
  const noted = notedLimits(rules.limits)
  const contextWith = (performed: Json | undefined) => ({
    organization,
    activityId,
    requester,
    atMs,
    ids: resourceIds(rules.digest, activityId),
    language: rules.catalogue.language,
    limits: noted.limits,
    others,
    performed,
  })
  const execute = (performed: Json | undefined) => operation.execute(decoded.intent, contextWith(performed))
  return {
    check: () => operation.check(decoded.intent, { ...contextWith(undefined), attempt, once: proposal.once }),
    execute: (performed: Json | undefined): E.Either<Failure, WrittenExecution> => {
      const executed = execute(performed)
      if (rules.executeTwice === true && JSON.stringify(execute(performed)) !== JSON.stringify(executed))
        throw ownError(`execute of ${operation.type} gave something else the second time: it must be pure`)
      return executed
    },
    limits: noted.read,
  }
}

const executedWith = (
  execute: ReturnType<typeof stepsOn>['execute'],
  performed: Json | undefined,
): E.Either<Failure, Attempted> =>
  E.map((executed: WrittenExecution): Attempted => ({ _tag: 'executed', executed }))(execute(performed))

/**
 * The limits under which effects outside are concluded. A limit that was read at their start keeps its value, also if the engine was
 * started with other limits since.
 *
 * @param limits  the present limits
 */
export const limitsOf = (
  catalogue: Catalogue,
  { limits: started }: Pick<Activity, 'limits'>,
  limits: Limits = defaultsOf(catalogue),
): Limits => ({ ...limits, ...started })
