import { checkedAgain, conclude } from '../deciding/trying.ts'
import type { Proposal, Rules } from '../deciding/proposal.ts'
import type { Json } from '../failure.ts'
import { millis, type EventOf, type EventPayload, type PayloadWithParts } from '../log/event.ts'
import { partsOf } from '../log/parts.ts'
import { personOf } from '../log/personal-part.ts'
import { E } from '../prelude.ts'
import type { Operation } from '../definition/operation.ts'
import type { AuditedActivity, Auditor, Where } from './audited-log.ts'
import { hasReadAsSaid, limitsOfThen } from './check-limits.ts'
import { partsDifference, type Difference } from './check-parts.ts'
import { checkPerformed } from './check-performed.ts'
import { watched } from './erased-reads.ts'
import { isErasedPerson } from './erasures.ts'
import { isSame } from './same-json.ts'

/**
 * Checks that the operation accepts the activity, when it was requested or when its work was started. If it had refused, the log would
 * have no event, or a failure.
 *
 * @param form  the operation as it was; `undefined` where it is not known
 * @returns what the work was given; `ERASED` if that rests on something that was erased
 */
export const checkAccepted = (
  auditor: Auditor,
  where: Where,
  live: AuditedActivity,
  form: Operation | undefined,
): unknown => {
  const { logged, complain } = where
  const proposal = proposalOn(where, live, form)
  if (proposal === undefined) return undefined
  const { given: again, hasRead } = watched(auditor.erasedReads, () =>
    checkedAgain(rulesOf(auditor, logged.event, live), proposal, live.activity.requester, live.activity.attempt + 1),
  )
  if (again === undefined || hasRead) {
    if (again === undefined || E.isLeft(again.outcome)) auditor.counts.executionsErased += 1
    return ERASED
  }
  if (E.isLeft(again.outcome)) {
    complain('EXECUTION_DIFFERS', `executed again, the activity is refused with ${again.outcome.left.code}`)
    return undefined
  }
  if (!hasReadAsSaid(logged.event, again.limits)) complain('EXECUTION_DIFFERS', readsOtherwise)
  return proposal.operation.performs(proposal.decoded.intent) ? again.outcome.right : undefined
}

/** Stands for a value that cannot be computed any more. */
export const ERASED = Symbol('erased')

const readsOtherwise = 'executed again, the activity reads other limits than those that the event names'

type Conclusion = EventOf<'ActivityCompleted'> | EventOf<'ActivityFailed'>

/**
 * Executes the activity again, on the state right before its conclusion: operations are pure, and ids of what they create
 * follow from the activity. What a service outside said is taken from the event. A failure of the service is taken on trust. A
 * refusal of the operation, before the service was asked, is not: it is computed again.
 *
 * @param form  the operation as it was; `undefined` where it is not known
 */
export const checkExecution = (
  auditor: Auditor,
  where: Where,
  event: Conclusion,
  live: AuditedActivity,
  form: Operation | undefined,
): void => {
  const { complain } = where
  const found = auditor.catalogue.byType(live.activity.type)
  if (found === undefined) return
  // Types of the wire may be renamed. An event keeps the name that the type had then.
  if (event.type === 'ActivityCompleted' && auditor.catalogue.byType(event.data.type)?.operation !== found.operation)
    return complain('EXECUTION_DIFFERS', `executed again, the activity is one of ${found.operation.type}`)
  const proposal = proposalOn(where, live, form)
  const { counts } = auditor
  if (proposal === undefined) {
    if (live.gone !== undefined && where.log.isStateKnown && form !== undefined) counts.executionsErased += 1
    return
  }
  const { given: again, hasRead } = watched(auditor.erasedReads, () =>
    executedAgain(auditor, where, event, live, proposal),
  )
  if (again === undefined || (typeof again === 'object' && (hasRead || again.isOfErased))) counts.executionsErased += 1
  else if (typeof again === 'object') complain('EXECUTION_DIFFERS', again.message)
  else if (again) {
    counts.executions += 1
    if (where.logged.erased.length > 0) counts.executionsInPart += 1
  }
}

/** Whether it came out the same, or how it did not; false where it is taken on trust. */
const executedAgain = (
  auditor: Auditor,
  where: Where,
  event: Conclusion,
  live: AuditedActivity,
  proposal: Proposal,
): boolean | Difference => {
  const { requester } = live.activity
  const { operation, decoded } = proposal
  const perform = operation.performs(decoded.intent) ? operation.perform : undefined
  const rules = rulesOf(auditor, event, live)
  const readsBefore = auditor.erasedReads.count
  if (event.type === 'ActivityFailed' && perform !== undefined) {
    const again = failedAgain(rules, proposal, event, live, perform)
    return typeof again === 'string' ? plain(again) : again
  }
  const performed = performedIn(where, event, operation)
  if (E.isLeft(performed)) return performed.left
  if (event.type === 'ActivityCompleted' && (perform === undefined) !== (performed.right === undefined))
    return plain(wrongPerformed(performed.right))
  const { payload, checked } = conclude(rules, proposal, requester, performed.right)
  const difference = differenceOf(event, writtenAsThen(auditor, event, payload, operation), where)
  if (difference !== undefined) return difference
  const given = perform?.outside === true ? live.checked : checked
  const isGiven = given !== ERASED && auditor.erasedReads.count === readsBefore
  if (isGiven && performed.right !== undefined && !isPerformedErased(where, event, operation))
    checkPerformed(auditor, where, performed.right, operation, decoded, given)
  return true
}

/** What the work brought, with its personal members. */
const performedIn = (
  { logged }: Where,
  event: Conclusion,
  { personal }: Operation,
): E.Either<Difference, Json | undefined> => {
  const written = event.type === 'ActivityCompleted' ? event.data.performed : undefined
  if (written === undefined) return E.right(undefined)
  return E.tryCatch(
    () => personal.performed(written, partsOf(event, logged.parts)),
    () => plain('what the work brought cannot be read with its personal members'),
  )
}

/** Whether it has fallbacks in their places. */
const isPerformedErased = ({ logged }: Where, event: Conclusion, { personal }: Operation): boolean =>
  event.type === 'ActivityCompleted' &&
  event.data.performed !== undefined &&
  personal.isErased(event.data.performed, partsOf(event, logged.parts))

/** Judges the failure of an activity with work. Either the operation refused it before the work, or the work failed, which is taken on trust. */
const failedAgain = (
  rules: Rules,
  proposal: Proposal,
  event: EventOf<'ActivityFailed'>,
  { activity }: AuditedActivity,
  { outside }: { readonly outside: boolean },
): boolean | string => {
  const { code } = event.data.failure
  const { outcome, limits } = checkedAgain(rules, proposal, activity.requester, activity.attempt + 1)
  const refusal = E.isLeft(outcome) ? outcome.left : undefined
  // After a start, the service may have failed.
  if (activity.attempt > 0) return refusal?.code === code && hasReadAsSaid(event, limits)
  if (refusal !== undefined && refusal.code !== code) return `executed again, the activity fails with ${refusal.code}`
  if (!hasReadAsSaid(event, limits)) return readsOtherwise
  if (refusal !== undefined) return true
  if (outside) return 'executed again, the activity is not refused'
  // If the work was unavailable, the vote is not stored, and can be sent again.
  return code === 'UNAVAILABLE' ? 'an activity does not fail because its work has to wait' : false
}

const rulesOf = (auditor: Auditor, event: Where['logged']['event'], live: AuditedActivity): Rules => ({
  digest: auditor.signatures,
  catalogue: auditor.catalogue,
  limits: limitsOfThen(auditor, event, live),
})

/** The activity as it was decided on; `undefined` where something of that is not known. */
const proposalOn = (
  { log: { draft, isStateKnown }, logged: { event }, decoded, others }: Where,
  { activity }: AuditedActivity,
  operation: Operation | undefined,
): Proposal | undefined =>
  !isStateKnown || operation === undefined || decoded === undefined || others === undefined
    ? undefined
    : {
        organization: draft,
        sequence: event.sequence - 1n,
        atMs: millis(event.at),
        clockMs: millis(event.at),
        activityId: event.activity,
        type: activity.type,
        operation,
        decoded,
        home: activity.home,
        others,
      }

export const differenceOf = (
  event: Conclusion,
  again: PayloadWithParts,
  { log, logged }: Pick<Where, 'log' | 'logged'>,
): Difference | undefined => {
  const different = howDifferent(event, again)
  const difference =
    different === undefined
      ? partsDifference(logged, again.parts, (userId) => isErasedPerson(log.erasures, userId))
      : plain(different)
  if (difference !== undefined) return { ...difference, message: `executed again, the activity ${difference.message}` }
  return again.type !== 'ActivityCreated' && again.type !== 'ActivityVoted' && !hasReadAsSaid(event, again.data.limits)
    ? plain(readsOtherwise)
    : undefined
}

/**
 * The event with its personal members in the line and without parts for them, if it has an earlier revision of an operation whose author
 * marked the members later.
 */
const writtenAsThen = (
  { catalogue }: Pick<Auditor, 'catalogue'>,
  event: Conclusion,
  again: PayloadWithParts,
  { personal, revision }: Operation,
): PayloadWithParts => {
  if (again.type !== 'ActivityCompleted' || event.type !== 'ActivityCompleted' || !personal.areThere) return again
  const isOlder = revision < (catalogue.byType(event.data.type)?.operation.revision ?? 0)
  if (!isOlder || Object.keys(event.parts).some((name) => personOf(name) !== undefined)) return again
  const given = Object.entries(again.parts ?? {})
  const parts = new Map(given)
  const change = personal.change(again.data.change, parts)
  const result = personal.result(again.data.result, parts)
  const others = Object.fromEntries(given.filter(([name]) => personOf(name) === undefined))
  const { performed } = event.data // as it was given
  return {
    ...again,
    data: { ...again.data, change, result, ...(performed !== undefined && { performed }) },
    parts: others,
  }
}

const plain = (message: string): Difference => ({ message, isOfErased: false })

const howDifferent = (event: Conclusion, again: EventPayload): string | undefined => {
  if (again.type === 'ActivityFailed') {
    const { code } = again.data.failure
    return event.type === 'ActivityFailed' && event.data.failure.code === code ? undefined : `fails with ${code}`
  }
  if (again.type !== 'ActivityCompleted' || event.type !== 'ActivityCompleted') return 'completes'
  if (!isSame(event.data.change, again.data.change)) return 'changes the organization otherwise'
  if (!isSame(event.data.performed ?? null, again.data.performed ?? null))
    return 'has another line of what its work brought'
  return isSame(event.data.result, again.data.result) ? undefined : 'gives another result'
}

const wrongPerformed = (performed: Json | undefined): string =>
  performed === undefined
    ? 'expected what the work of the operation brought'
    : 'the operation has no work that could have brought anything'
