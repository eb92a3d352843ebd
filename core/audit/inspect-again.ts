import { inspectedBy } from '../definition/inspect-services.ts'
import { decodedIn, type DecodedIntent, type Operation, type Version } from '../definition/operation.ts'
import type { Failure } from '../failure.ts'
import { REQUEST } from '../log/parts.ts'
import { decodeRequestPart } from '../log/request-part.ts'
import type { Logged } from '../log/transcript-check.ts'
import { E } from '../prelude.ts'
import type { AuditedActivity, AuditedLog, Auditor, Where } from './audited-log.ts'
import { givenBy } from './bounded.ts'
import { believe, revisionIn } from './check-revision.ts'

/** The outcome of inspecting the request of an activity; `undefined` where `inspect` threw or did not end. */
export type Inspected = {
  readonly activity: string
  readonly form: Operation
  readonly outcome: E.Either<Failure, DecodedIntent> | undefined
}

/**
 * Inspects the request of the next event's activity again, where its operation has `inspect`: the log does not have what it gives. It runs once
 * for the events of one commit.
 *
 * @returns `undefined` where there is nothing to wait for
 */
export const inspectAgain = (
  auditor: Auditor,
  log: AuditedLog | undefined,
  { event, parts }: Logged,
): Promise<void> | undefined => {
  const live = log?.activities.get(event.activity)
  const type = event.type === 'ActivityCreated' ? event.data.type : live?.activity.type
  const found = type === undefined ? undefined : auditor.catalogue.byType(type)
  const form = found?.operation.formOf(revisionIn(event) ?? 1)
  if (found === undefined || form?.inspect === undefined) return undefined
  if (auditor.inspected?.activity === event.activity && auditor.inspected.form === form) return undefined
  const decoded = event.type === 'ActivityCreated' ? requestedIn(found.version, parts) : live?.intent?.decoded()
  if (decoded === undefined || !form.inspects(decoded)) return undefined
  return (async () => {
    const signal = new AbortController()
    const outcome = await givenBy(auditor.clock, () => inspectedBy(auditor.services, form, decoded, signal.signal))
    if (outcome === undefined) signal.abort()
    auditor.inspected = { activity: event.activity, form, outcome: outcome?.given }
  })()
}

const requestedIn = (version: Version, parts: Logged['parts']): DecodedIntent | undefined => {
  const part = parts.find(({ name }) => name === REQUEST)
  const request = part && decodeRequestPart(part.bytes)
  return request !== undefined && E.isRight(request) ? decodedIn(version, request.right.body) : undefined
}

/** The intent of an activity, inspected where its operation has `inspect`; `undefined` where it is not known. */
export const decodedFor = (
  { inspected }: Auditor,
  { logged }: Where,
  live: AuditedActivity,
  form: Operation,
): DecodedIntent | undefined => {
  const decoded = live.intent?.decoded()
  if (decoded === undefined || !form.inspects(decoded)) return decoded
  const isOfThis = inspected?.activity === logged.event.activity && inspected.form === form
  return isOfThis && inspected.outcome !== undefined && E.isRight(inspected.outcome)
    ? inspected.outcome.right
    : undefined
}

/** Checks that the operation's `inspect` does not refuse the request. Where it lacks a service, the event is believed. */
export const checkInspected = (auditor: Auditor, where: Where, form: Operation | undefined): void => {
  const { inspected } = auditor
  const { logged, complain } = where
  if (form?.inspect === undefined || inspected?.activity !== logged.event.activity || inspected.form !== form) return
  const { outcome } = inspected
  if (outcome === undefined)
    complain('AUDIT_IMPOSSIBLE', 'the inspection of the request threw, or did not end: what rests on it is not judged')
  else if (E.isLeft(outcome) && outcome.left.code === 'UNSUPPORTED')
    believe(auditor, where, 'AUDIT_IMPOSSIBLE', `what the audit was not given (${outcome.left.message})`)
  else if (E.isLeft(outcome))
    complain('REQUEST_DIFFERS', `inspected again, the request is refused with ${outcome.left.code}`)
}
