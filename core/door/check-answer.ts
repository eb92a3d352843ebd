import { CountersignError } from '../countersign-error.ts'
import { failure } from '../failure.ts'
import type { ActivityView } from '../view/activity-view.ts'
import { isActivityOf, requestIn, showsParameters, type ShownByServer } from '../view/shown-request.ts'

/** The activity that an answer has to show. */
export type Expected = {
  /** In lower case. */
  readonly organizationId: string
  readonly fingerprint: string
  readonly type: string
  /** What was asked for. */
  readonly parameters: unknown
  /** The parameters as the server may write them instead. */
  readonly echo?: () => unknown
}

/** The activity of an answer, if it is the expected one. An intent that is left out is no lie: the request may be erased by now. */
export const expected = (
  activity: ActivityView,
  { organizationId, fingerprint, type, parameters, echo }: Expected,
): ActivityView => {
  const { intent } = activity
  const showsIt = (): boolean =>
    Object.keys(intent).length === 0 ||
    showsParameters(intent, parameters) ||
    (echo !== undefined && showsParameters(intent, echo()))
  if (isActivityOf(activity, { organizationId, fingerprint }) && activity.type === type && showsIt()) return activity
  throw new CountersignError(anotherActivity)
}

/** The activity of an answer to somebody who knows only its fingerprint. An intent that the request does not prove is left out. */
export const expectedByFingerprint = (
  activity: ActivityView,
  expecting: { readonly organizationId: string; readonly fingerprint: string },
): ActivityView => {
  const request = requestIn(activity, expecting.organizationId)
  if (request === undefined || !isActivityOf(activity, expecting)) throw new CountersignError(anotherActivity)
  return showsParameters(activity.intent, request.parameters) ? activity : { ...activity, intent: {} }
}

/** What has to come back for a vote on this activity. The vote must not be stamped if the activity shows what nobody has asked for. */
export const votable = (activity: ShownByServer, organizationId: string): Expected => {
  const { fingerprint, type, intent } = activity
  const request = requestIn(activity, organizationId)
  if (request === undefined || !showsParameters(intent, request.parameters)) throw new CountersignError(unproven)
  return { organizationId, fingerprint, type, parameters: request.parameters }
}

const anotherActivity = failure(
  'INTERNAL',
  'unexpected answer: the server shows another activity than the one of this request; what was asked for may have been done',
)

const unproven = failure(
  'REQUEST_INVALID',
  'nothing was sent: the activity does not show the request that its fingerprint stands for; if you know what that is, give the ' +
    'fingerprint itself',
)
