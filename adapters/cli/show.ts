import { isUuid } from '../../core/codec/codec.ts'
import { requestIn, showsParameters } from '../../core/view/shown-request.ts'
import { isWaiting, type Status } from '../../core/log/standing.ts'
import { LAST, lastId } from './activities.ts'
import { detailsOf, type Details } from './activity-lines.ts'
import { isErased } from './seen-request.ts'
import { missingFor, type Known } from './missing-approvals.ts'
import { print, printStyled } from './print.ts'
import { serverCalls, type CallOptions, type SeenActivity, type ServerCalls } from './server-calls.ts'
import { refusal, unusable } from './stop.ts'

export type ShowOptions = CallOptions & { readonly json?: boolean }

/** Shows an activity: who asked for what, who voted, what is missing, and who could give it. */
export const show = async (id: string, options: ShowOptions): Promise<number> => {
  const calls = await serverCalls(options)
  const activity = await activityOf(calls, id === LAST ? await lastId(calls) : id)
  const { evaluations, ...details } = await detailsBy(calls, activity)
  const { request, missing } = details
  if (options.json === true)
    print({
      activity,
      isVerified: request !== undefined && showsParameters(activity.intent, request.parameters),
      isErased: isErased(activity.votes[0]),
      policyEvaluations: evaluations,
      missing,
    })
  else printStyled(detailsOf(activity, details))
  return 0
}

/** What is known of an activity, and what the policies said about it. */
export const detailsBy = async (
  calls: ServerCalls,
  activity: SeenActivity,
): Promise<Details & Pick<Known, 'evaluations'>> => {
  const [known, tags, factors] = await Promise.all([
    knownBy(calls, activity),
    calls.tags(),
    isWaiting(activity.status) ? calls.factors(activity.id) : [],
  ])
  const nowMs = Date.now()
  return {
    flags: calls.flags,
    request: requestIn(activity, calls.organizationId),
    // What else an activity lacks that waits for a factor of its requester, nobody has asked the rules yet.
    missing: activity.status === NEEDS_CONSENSUS ? missingFor(activity, known, nowMs) : undefined,
    lacking: factors.filter(({ satisfied }) => !satisfied),
    names: new Map([
      ...known.users.map(({ userId, userName }) => [userId, `the user ${userName}`] as const),
      ...tags.map(({ tagId, tagName }) => [tagId, `the tag ${tagName}`] as const),
    ]),
    nowMs,
    evaluations: known.evaluations,
  }
}

const NEEDS_CONSENSUS = 'ACTIVITY_STATUS_CONSENSUS_NEEDED' satisfies Status

/** The activity with this id. */
export const activityOf = async (calls: ServerCalls, text: string): Promise<SeenActivity> => {
  const id = text.toLowerCase()
  if (!isUuid(id)) throw unusable('expected an activity: its id, or last for the newest')
  const activity = await calls.activity(id)
  if (activity.id !== id) throw refusal('the server answered with another activity than the one that was asked for')
  return activity
}

const knownBy = async (calls: ServerCalls, { id }: SeenActivity): Promise<Known> => {
  const [evaluations, users, policies, quorum] = await Promise.all([
    calls.evaluations(id),
    calls.users(),
    calls.policies(),
    calls.quorum(),
  ])
  return { evaluations, users, policies, quorum }
}
