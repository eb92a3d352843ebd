import { isFinished } from '../../../../core/activity/activity.ts'
import type { LiveActivity } from '../../../../core/deciding/live-activity.ts'
import type { Found } from '../found.ts'
import { knownOperations } from '../found.ts'
import { activityIn, codeIn, isUncertain, type Answered, type Shown } from '../journal.ts'
import { endedIn } from './check-children.ts'

/** What was acknowledged has to be there, once, in the state that was acknowledged or a later one. */
export const checkAnswers = (found: Found, answers: readonly Answered[]): readonly string[] => [
  ...answers.flatMap((answered) =>
    answered.kind === 'query' ? checkSeen(found, answered) : checkAcknowledged(found, answered),
  ),
  ...checkRefused(found, answers),
  ...checkOnce(found),
]

const checkAcknowledged = (found: Found, answered: Answered): readonly string[] => {
  const { status, activityId, path } = answered
  if (status >= 500 && status !== 503) return [`${path} was answered with ${status}`]
  if (isDenied(answered)) return checkDenied(found, answered)
  if (status !== 200) return []
  const shown = activityIn(answered)
  if (shown === undefined) return [`${path} was answered with 200 and no activity`]
  if (shown.id !== activityId) return [`${path} was answered with activity ${shown.id} instead of ${activityId}`]
  return checkShown(found, shown)
}

const checkShown = ({ activities }: Found, shown: Shown): readonly string[] => {
  const live = activities.get(shown.id)
  if (live === undefined) return [`activity ${shown.id} was acknowledged as ${shown.status}, and is not there`]
  const { activity } = live
  const violations: string[] = []
  const votes = activity.votes.map(({ id }) => id)
  if (shown.votes.some(({ id }, index) => votes[index] !== id)) {
    violations.push(`activity ${shown.id} was acknowledged with votes that are not there`)
  }
  const wasFinished = FINISHED.has(shown.status)
  if (wasFinished && activity.status !== shown.status) {
    violations.push(`activity ${shown.id} was acknowledged as ${shown.status}, and is ${activity.status}`)
  }
  if (shown.status === 'ACTIVITY_STATUS_COMPLETED' && !sameResult(shown, live)) {
    violations.push(`activity ${shown.id} was acknowledged with another result`)
  }
  return violations
}

const FINISHED = new Set(['ACTIVITY_STATUS_COMPLETED', 'ACTIVITY_STATUS_FAILED', 'ACTIVITY_STATUS_REJECTED'])

/** It is opened for its requester, and not in the log. */
const TOKEN = /("verificationToken":)"[^"]*"/

// In the answer to a submit, `result` also holds the specification's activity.
const sameResult = ({ result: { activity: _, ...result }, type }: Shown, { activity }: LiveActivity): boolean => {
  const version = knownOperations.byType(type)?.version
  if (version === undefined || activity.result === undefined) return false
  return (
    JSON.stringify(result).replace(TOKEN, '$1""') ===
    JSON.stringify({ [version.resultName]: version.encodeResult(activity.result, activity.parts) })
  )
}

export const isDenied = ({ status, json }: Answered): boolean =>
  status === 403 && JSON.stringify(json).includes('PolicyEnginePermissionError')

const checkDenied = (
  { activities }: Found,
  { activityId, denialId = activityId, kind }: Answered,
): readonly string[] => {
  // A vote may have denied an activity that waited: then it has its own id, and its requester hears of the denial as of one at once.
  const status = (activities.get(denialId) ?? activities.get(activityId))?.activity.status
  return kind === 'vote' || status === 'ACTIVITY_STATUS_REJECTED'
    ? []
    : [`activity ${activityId} was denied, and is ${status ?? 'not there'}`]
}

/** Nothing may be left of what was refused, each time that it was sent. */
const checkRefused = (found: Found, answers: readonly Answered[]): readonly string[] => {
  const { activities } = found
  const refused = new Map<string, string>()
  // An organization that has ended is not found, whatever had become of the request.
  const ended = endedIn(found)
  const submits = answers.filter(
    ({ kind, status, organizationId }) => kind === 'submit' && !(status === 404 && ended.has(organizationId)),
  )
  for (const answered of submits) {
    if (answered.status >= 400 && !isUncertain(answered))
      refused.set(answered.activityId, codeIn(answered) ?? String(answered.status))
  }
  for (const answered of submits) {
    if (answered.status === 200 || isUncertain(answered) || isDenied(answered)) refused.delete(answered.activityId)
  }
  return [...refused]
    .filter(([id]) => activities.has(id))
    .map(([id, code]) => `activity ${id} was refused (${code}), and is there`)
}

/** What a query showed was durable. */
const checkSeen = (found: Found, answered: Answered): readonly string[] => {
  const { status, path, json } = answered
  if (status >= 500 && status !== 503) return [`${path} was answered with ${status}`]
  const shown = activityIn(answered)
  if (shown !== undefined) return checkShown(found, shown)
  if (status !== 200 || path !== 'list_user_tags') return []
  const made = tagsMadeIn(found)
  return idsOf(json)
    .filter((id) => !made.has(id))
    .map((id) => `user tag ${id} was listed, and was never made`)
}

const tagsMadeIn = ({ events }: Found): ReadonlySet<string> => {
  const known = tagsOf.get(events)
  if (known !== undefined) return known
  const made = new Set<string>()
  for (const event of events) {
    if (event.type === 'ActivityCompleted' && event.data.type === 'ACTIVITY_TYPE_CREATE_USER_TAG')
      made.add(memberOf(event.data.result, 'userTagId'))
  }
  tagsOf.set(events, made)
  return made
}

const tagsOf = new WeakMap<Found['events'], ReadonlySet<string>>()

const idsOf = (json: unknown): readonly string[] => {
  const tags = typeof json === 'object' && json !== null && 'userTags' in json ? json.userTags : []
  return Array.isArray(tags) ? tags.map((tag) => memberOf(tag, 'tagId')) : []
}

const memberOf = (json: unknown, name: string): string =>
  String(typeof json === 'object' && json !== null ? Object.entries(json).find(([key]) => key === name)?.[1] : '')

/** The same body is the same activity: no fingerprint may have been created twice, and nothing may wait for ever. */
const checkOnce = ({ events, activities }: Found): readonly string[] => {
  const bodies = new Set<string>()
  const violations: string[] = []
  for (const event of events) {
    if (event.type !== 'ActivityCreated') continue
    // An organization below another one begins with the body of its parent's activity.
    const body = `${event.organization} ${event.data.fingerprint}`
    if (bodies.has(body)) violations.push(`the body of activity ${event.activity} was created twice`)
    bodies.add(body)
  }
  for (const { activity } of activities.values()) {
    if (activity.status === 'ACTIVITY_STATUS_PENDING' && !isFinished(activity))
      violations.push(`activity ${activity.activityId} stays PENDING`)
  }
  return violations
}
