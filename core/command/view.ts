import type { Activity, Vote } from '../activity/activity.ts'
import { approvalsOf, matterOf } from '../activity/matter.ts'
import { decodeUtf8, encodeHex } from '../bytes.ts'
import type { Json } from '../failure.ts'
import { parseJson } from '../json/parse-json.ts'
import type { StampedRequest } from '../log/request-part.ts'
import type { Catalogue } from '../operations/catalogue.ts'
import type { Version } from '../operations/operation.ts'
import type { Organization, User } from '../organization/organization.ts'
import { countedApprovals } from '../policy/approvers.ts'
import { eligibility, type EligibilityOptions } from '../policy/consensus.ts'
import { currentRules } from '../policy/rules.ts'
import type { ActivityView, VoteView } from '../query/activity-view.ts'
import { timestamp } from '../query/timestamp.ts'
import { userView } from '../query/user/user-view.ts'
import type { LiveActivity } from './cell.ts'
import { readStamp } from './read-stamp.ts'

/** Who may vote on the activities of an organization, in one state of it and at one moment. */
export type Voters = {
  /** Whether the user's approval, or rejection, could matter to an activity that is not finished. */
  readonly isEligible: (live: LiveActivity, userId: string) => boolean
  /** Whether the user's approval counts. */
  readonly hasApproved: (activity: Activity, userId: string) => boolean
  /** How a user is shown beside a vote: written once for all votes of an answer, for it can be long. */
  readonly userOf: (userId: string) => Json
}

export const votersOf = (
  organization: Organization,
  catalogue: Catalogue,
  atMs: number,
  options: EligibilityOptions = {},
): Voters => {
  const mayVote = eligibility(organization, options)
  const { rules = currentRules } = options
  const users = new Map<string, Json>()
  return {
    isEligible: ({ activity, asked }, userId) => {
      const found = catalogue.byType(activity.type)
      if (found === undefined || asked === undefined || !organization.users.has(userId)) return false
      if (activity.requester === userId) return true
      const matter = matterOf(found.operation, activity.type, asked.intent, activity.requester, atMs)
      return mayVote(matter, approvalsOf(activity, atMs), userId)
    },
    hasApproved: (activity, userId) =>
      countedApprovals(rules, organization, approvalsOf(activity, atMs)).some((one) => one.userId === userId),
    userOf: (userId) => {
      const found = users.get(userId) ?? userOf(organization, userId)
      users.set(userId, found)
      return found
    },
  }
}

/** The steps for an answer to find out whether its caller may vote: fewer than for a vote, which it may come on top of. */
const STEPS_OF_ANSWER = 500_000

/** For one answer, however many activities it shows: they share the steps. */
export const votersOfAnswer = (organization: Organization, catalogue: Catalogue, atMs: number): Voters =>
  votersOf(organization, catalogue, atMs, { eligibilitySteps: STEPS_OF_ANSWER })

const isOpen = (activity: Activity): boolean => activity.status === 'ACTIVITY_STATUS_CONSENSUS_NEEDED'

/**
 * An activity as `caller` may see it now.
 *
 * @param voters  where several activities are shown, those of all of them
 */
export const viewOf = (
  organization: Organization,
  catalogue: Catalogue,
  live: LiveActivity,
  caller: string,
  atMs: number,
  voters = votersOfAnswer(organization, catalogue, atMs),
): ActivityView => {
  const { activity } = live
  const asked = unlessItThrows(undefined, () => live.asked)
  const version = catalogue.byType(activity.type)?.version
  const eligible = isOpen(activity) && unlessItThrows(false, () => voters.isEligible(live, caller))
  return {
    id: activity.activityId,
    organizationId: activity.organizationId,
    status: activity.status,
    type: activity.type,
    intent: version === undefined || asked === undefined ? {} : { [version.intentName]: asked.echo },
    result: unlessItThrows({}, () => resultOf(activity, version)),
    votes: activity.votes.map((vote) => voteView(voters, activity, vote, live.requests.get(vote.id))),
    fingerprint: activity.fingerprint,
    canApprove: eligible && !voters.hasApproved(activity, caller),
    canReject: eligible,
    createdAtMs: activity.createdAtMs,
    updatedAtMs: activity.updatedAtMs,
    failure: activity.failure,
  }
}

const resultOf = ({ result }: Activity, version: Version | undefined): ActivityView['result'] => {
  if (version === undefined || result === undefined) return {}
  const encoded = version.encodeResult(result)
  // What a host wrote is read as JSON once, so that one result that is none does not spoil a list.
  return { [version.resultName]: version.isPlainResult ? encoded : (parseJson(JSON.stringify(encoded)) as Json) }
}

/** A host's code that throws takes its own part out of the view, and not the activity out of every list. */
const unlessItThrows = <A>(otherwise: A, read: () => A): A => {
  try {
    return read()
  } catch {
    return otherwise
  }
}

const voteView = (voters: Voters, activity: Activity, vote: Vote, request: StampedRequest | undefined): VoteView => {
  const signature = request === undefined ? undefined : readStamp(request)
  return {
    id: vote.id,
    userId: vote.userId,
    user: voters.userOf(vote.userId),
    activityId: activity.activityId,
    selection: vote.selection,
    message: request === undefined ? '' : (decodeUtf8(request.body) ?? ''),
    publicKey: signature?.publicKey ?? '',
    signature: signature === undefined ? '' : encodeHex(signature.signature),
    scheme: vote.scheme,
    createdAtMs: vote.atMs,
  }
}

/** The user as of now; of one who is gone, the id is left. */
const userOf = (organization: Organization, userId: string): Json => {
  const user = organization.users.get(userId)
  return userView(user ?? { ...NOBODY, userId })
}

const NOBODY: Omit<User, 'userId'> = {
  userName: '',
  tagIds: [],
  apiKeys: new Map(),
  deletedApiKeys: new Map(),
  createdAtMs: 0,
  updatedAtMs: 0,
}

/** What the rules said at each vote, as the wire carries it. */
export const evaluationsOf = ({ activity }: LiveActivity): readonly Json[] =>
  activity.votes.map((vote) => ({
    id: vote.id,
    activityId: activity.activityId,
    organizationId: activity.organizationId,
    voteId: vote.id,
    policyEvaluations: vote.decision.verdict.evaluations.map((evaluation) => ({ ...evaluation })),
    createdAt: timestamp(vote.atMs),
  }))
