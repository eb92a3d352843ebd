import { activityIdOf, resourceIds } from '../activity/identity.ts'
import { beginsOrganization } from '../definition/begins.ts'
import type { Operation } from '../definition/operation.ts'
import type { Others } from '../deciding/others.ts'
import { completed } from '../deciding/payloads.ts'
import type { Verdict } from '../log/decision.ts'
import type { EventOf } from '../log/event.ts'
import type { Json } from '../failure.ts'
import { E } from '../prelude.ts'
import type { Begun } from '../resources/organization/create-organization.ts'
import { begunWith, type ToBegin } from '../resources/sub-organization/beginning.ts'
import { publicKeysIn, saidOfKeys } from '../resources/sub-organization/keys-below.ts'
import type { AuditedActivity, AuditedLog, Auditor, BegunBy, Where } from './audited-log.ts'
import { checkBasis } from './check-basis.ts'
import { differenceOf, ERASED } from './check-execution.ts'
import { isCounter } from './check-read.ts'
import { believe } from './check-revision.ts'
import { isSame } from './same-json.ts'

/*
 * Organizations below another one. The log of the parent says why the log below may begin and with what; when its activity completes, it
 * says with what the log below has begun.
 */

const parentVerdict: Verdict = { outcome: 'ALLOWED', rule: 'parent', evaluations: [] }

/** Whether an event says that its log was begun by the parent of its organization. */
export const isBegunBelow = ({ sequence, data }: EventOf<'ActivityCreated'>): boolean =>
  sequence === 1n && data.decision.verdict.rule === 'parent'

/** Judges the first event of such a log: a started activity of the parent that has not ended has to have begun it. */
export const judgeBegun = (auditor: Auditor, where: Where, event: EventOf<'ActivityCreated'>): void => {
  const { log, complain } = where
  const { organization, activity, data } = event
  const { decision, fingerprint } = data
  if (activityIdOf(auditor.signatures, organization, fingerprint) !== activity)
    complain('REQUEST_DIFFERS', 'the activity id is not the one that follows from organization and fingerprint')
  if (Object.keys(event.parts).length > 0 || data.subjects !== undefined || data.leftOutBytes !== undefined)
    complain('REQUEST_DIFFERS', 'expected no request: the log of the parent has it')
  checkBasis(auditor, where, decision.basis)
  if (decision.basis.factors.length > 0)
    complain('BASIS_DIFFERS', 'expected no second factors: the log of the parent has them')
  if (isSame(decision.verdict, parentVerdict)) auditor.counts.decisions += 1
  else complain('DECISION_DIFFERS', 'expected that the parent allows it')
  log.begunBy = begunBy(auditor, where, event)
}

/** The activity of the parent; `undefined` where there is none that could have begun the log. */
const begunBy = (auditor: Auditor, where: Where, event: EventOf<'ActivityCreated'>): BegunBy | undefined => {
  const { complain } = where
  const { requester, fingerprint, decision } = event.data
  const { basis } = decision
  const [, read] = basis.read
  if (read === undefined || basis.read.length !== 2 || !isCounter(read.sequence)) {
    complain('GENESIS_INVALID', 'expected a beginning that names the organization and its parent')
    return undefined
  }
  const parent = auditor.logs.get(read.organization)
  const parentId = read.organization
  const activityId = activityIdOf(auditor.signatures, parentId, fingerprint)
  const believed: BegunBy = { parentId, activityId, values: undefined }
  if (resourceIds(auditor.signatures, activityId)() !== event.organization) {
    complain('GENESIS_INVALID', 'the id of the organization is not the first one of the activity that began it')
    return undefined
  }
  if (parent === undefined || parent.hasGap || !parent.isStateKnown) return believed
  const live = parent.activities.get(activityId)
  if (live?.begins === undefined || live.activity.requester !== requester) {
    complain('GENESIS_INVALID', 'no activity of the parent was under way that could have begun the organization')
    return undefined
  }
  const { proposer, begins } = live
  if (proposer.credential !== basis.credential || proposer.scheme !== basis.scheme)
    complain('BASIS_DIFFERS', "expected the credential and the scheme of the parent's activity")
  if (BigInt(read.sequence) < begins.startedAt)
    complain('BASIS_DIFFERS', 'the beginning names a state of the parent before its activity was started')
  return { ...believed, values: begins.values }
}

/** Judges the second event of such a log: it has what `check` of the parent's activity gave at one of its starts. */
export const judgeBegunWith = (
  auditor: Auditor,
  where: Where,
  event: EventOf<'ActivityCompleted'>,
  form: Operation | undefined,
): void => {
  const { log, others, complain } = where
  const { begunBy: by } = log
  if (by === undefined || form === undefined || others === undefined) return
  const { change } = event.data
  const { parentId } = change as { readonly parentId?: unknown } // the codec of the operation has read it
  if (parentId !== by.parentId)
    complain('EXECUTION_DIFFERS', 'the organization names another parent than its beginning')
  log.begunBy = { ...by, shown: saidOfKeys(change as Begun) } // as above
  if (by.values === undefined) return
  const differences = by.values.map((value) => differenceFrom(where, event, form, others, value))
  const { counts } = auditor
  if (differences.includes('none')) counts.executions += 1
  else if (differences.includes('erased')) counts.executionsErased += 1
  else complain('EXECUTION_DIFFERS', 'the organization begins otherwise than the activity of its parent said')
}

const differenceFrom = (
  where: Where,
  event: EventOf<'ActivityCompleted'>,
  form: Operation,
  others: Others,
  value: unknown,
): 'none' | 'erased' | 'some' => {
  if (value === undefined || value === ERASED) return 'erased' // a refusal at its start is a finding already
  const begun = E.tryCatch(
    () => begunAgain(event, value as ToBegin), // a value of `check`
    () => 'there are no such public keys' as const,
  )
  const outcome = E.flatMap(form.writes)(begun)
  if (E.isLeft(outcome)) return 'some'
  const again = completed({ operation: form, others }, outcome.right, undefined)
  const difference = differenceOf(event, again, where)
  return difference === undefined ? 'none' : difference.isOfErased ? 'erased' : 'some'
}

/** The beginning with the public keys that the event has: their addresses and ids are computed again. */
const begunAgain = (event: EventOf<'ActivityCompleted'>, value: ToBegin) => {
  const change = begunWith(value, publicKeysIn(event.data.change as Begun)) // its codec has read it
  return { result: { organizationId: event.organization, ...saidOfKeys(change) }, change }
}

/** Checks that a start says whether its work begins an organization below. */
export const checkBegins = (
  { complain }: Where,
  event: EventOf<'ActivityStarted'>,
  form: Operation | undefined,
): void => {
  if (form !== undefined && (event.data.begins === true) !== beginsOrganization(form))
    complain(
      'STATUS_IMPOSSIBLE',
      'expected a start to say whether its work begins an organization, and no other to say so',
    )
}

/** To be called at the end of an activity that was started to begin an organization: what it says of it has to be so. */
export const judgeBelow = (
  auditor: Auditor,
  where: Where,
  event: EventOf<'ActivityCompleted'> | EventOf<'ActivityFailed'>,
  { begins, gone }: AuditedActivity,
): void => {
  if (begins === undefined) return
  const { complain } = where
  const childId = resourceIds(auditor.signatures, event.activity)()
  const child = auditor.logs.get(childId)
  const isBegun = child !== undefined && isBegunByIt(child, event)
  if (event.type === 'ActivityFailed') {
    // If the request was erased in between, nobody could conclude it otherwise.
    if (isBegun && gone === undefined)
      complain('STATUS_IMPOSSIBLE', 'the activity has begun an organization, and cannot have failed')
    return
  }
  if (child === undefined) {
    if (!auditor.absent.has(childId)) auditor.absent.set(childId, complain)
    return believe(auditor, where, 'STATE_MISSING', 'an organization that is not in the transcript')
  }
  const { performed } = event.data
  const { genesisHash, ...shown } = (performed ?? {}) as { readonly [member: string]: Json } // its codec has read it
  if (!isBegun || genesisHash !== child.genesis || !isSame(shown, child.begunBy?.shown ?? {}))
    return complain('PERFORMED_DIFFERS', 'the organization that the activity has begun did not begin with this hash')
  child.isVouchedFor = true
}

const isBegunByIt = (
  { begunBy: by }: AuditedLog,
  { organization, activity }: { readonly organization: string; readonly activity: string },
): boolean => by?.parentId === organization && by.activityId === activity
