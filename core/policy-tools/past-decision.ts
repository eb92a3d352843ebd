import type { DecodedIntent, Operation } from '../definition/operation.ts'
import { decisionInputOf } from '../deciding/decision-input.ts'
import { millis, type EventOf } from '../log/event.ts'
import type { Organization } from '../organization/state.ts'
import type { Approval, DecisionInput } from '../policy/consensus.ts'
import { approversOf, factsOf } from '../policy/approvers.ts'
import { isWithin, type CronSpan } from '../policy/cron-span.ts'
import { Instant } from '../policy/instant.ts'
import type { TimeZones } from '../ports/time-zones.ts'
import { currentRules, rulesOf, type RulesVersion } from '../policy/rules.ts'
import type { FactsByClause } from './explained-policies.ts'

/** A decision that the log holds, with what it rests on as it was right before its event. */
export type PastDecision = {
  readonly event: EventOf<'ActivityCreated'> | EventOf<'ActivityVoted'>
  /** The number of the vote in its activity: 1 for the requester's. */
  readonly vote: number
  /** The state before the event. The walk changes it in place afterwards. */
  readonly organization: Organization
  readonly type: string
  readonly requester: string
  /** The operation in the form that the event names; `undefined` where this version does not know it. */
  readonly form: Operation | undefined
  /** `undefined` where the request was erased or left out, cannot be read, or cannot be inspected again. */
  readonly decoded: DecodedIntent | undefined
  /** Whether the request was erased, or left out. */
  readonly isErased: boolean
  /** The approvals of the window, and the one of this event unless it is a rejection. */
  readonly approvals: readonly Approval[]
}

/** What the rules decide on, and the version of the rules; `undefined` where it is not known any more. */
export type Question = { readonly input: DecisionInput; readonly rules: RulesVersion }

export const questionOf = (past: PastDecision): Question | undefined => {
  const { form, decoded, event, organization, type, requester } = past
  const { basis } = event.data.decision
  const rules = rulesOf(basis.rules)
  if (form === undefined || decoded === undefined || rules === undefined) return undefined
  try {
    const submitted = { organization, type, intent: decoded.intent, requester, atMs: millis(basis.at) }
    return { rules, input: decisionInputOf(form, submitted) }
  } catch {
    return undefined // code of a host threw
  }
}

/** The rules of a decision; those of today if this version does not know them any more. */
export const rulesIn = ({ event }: PastDecision): RulesVersion =>
  rulesOf(event.data.decision.basis.rules) ?? currentRules

/** The facts on which the clauses of policies were evaluated; those of conditions are not known if the request is not. */
export const factsIn = (
  past: PastDecision,
  approvals: readonly Approval[],
  question: Question | undefined,
  timeZones: TimeZones,
): FactsByClause => {
  const { organization, type, form } = past
  const present = approversOf(organization, approvals)
  const { kind = '', resource = '', action = '' } = form ?? {}
  const activity = { type, kind, resource, action, params: question?.input.params ?? {} }
  const facts = factsOf(activity, present, question?.input.facts)
  const time = {
    now: new Instant(millis(past.event.data.decision.basis.at)),
    isWithin: (span: CronSpan, atMs: number) => isWithin(span, atMs, timeZones),
  }
  return {
    condition: question === undefined ? undefined : facts,
    consensus: facts,
    time: { ...factsOf(activity, present), time },
  }
}

/** Whether no policy was asked: at the beginning of an organization, and after a rejection. */
export const isWithoutRules = ({ event }: PastDecision): boolean =>
  event.sequence === 1n || (event.type === 'ActivityVoted' && event.data.selection === 'VOTE_SELECTION_REJECTED')
