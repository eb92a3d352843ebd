import { kindOfStamp } from '../organization/credential.ts'
import { formerUsers } from '../organization/former-users.ts'
import { users, type User } from '../organization/users.ts'
import type { Activity, Vote } from '../activity/activity.ts'
import type { LiveActivity } from '../deciding/live-activity.ts'
import { votersOf, type Voters } from '../deciding/voters.ts'
import { allowanceOf } from '../policy/expression.ts'
import { decodeUtf8 } from '../bytes.ts'
import { isObject, type JsonObject } from '../codec/codec.ts'
import type { Json } from '../failure.ts'
import { parseJson } from '../json/parse-json.ts'
import type { StampedRequest } from '../log/request-part.ts'
import { isWaiting } from '../log/standing.ts'
import type { Catalogue } from '../definition/catalogue.ts'
import type { Version } from '../definition/operation.ts'
import type { Reveal } from '../definition/version.ts'
import type { Rules } from '../deciding/proposal.ts'
import type { Organization } from '../organization/state.ts'
import type { ActivityView, ShownEvaluations, VoteView } from '../view/activity-view.ts'
import { timestamp } from '../codec/timestamp.ts'
import { userView, UserView } from '../resources/user/user-view.ts'
import type { Sight } from './home.ts'
import { readStamp } from './read-stamp.ts'

/** The most steps in which an answer finds out whether its caller may vote. A vote has more, and its answer comes on top. */
const STEPS_OF_ANSWER = 500_000

/** Who may vote, and how each voter is shown. */
export type VotersOfAnswer = Voters & {
  /**
   * A user as the wire shows one beside a vote. It can be long, so it is made once for all votes of an answer.
   *
   * @param isErased  whether the request of the vote was erased: then a user who was deleted has no name
   */
  readonly userOf: (userId: string, isErased: boolean) => JsonObject
  /** The public key of the credential that stamped a vote; the empty text if it was deleted. */
  readonly publicKeyOf: (vote: Pick<Vote, 'userId' | 'credentialId'>) => string
}

/** Makes one for an answer. All activities of the answer share its steps. */
export const votersOfAnswer = (sight: Sight, catalogue: Catalogue, atMs: number): VotersOfAnswer => {
  const { organization, home } = sight
  const shown = new Map<string, JsonObject>()
  const options = { eligibilitySteps: STEPS_OF_ANSWER, factorAllowance: allowanceOf(STEPS_OF_ANSWER) }
  const { isEligible, ...more } = votersOf({ organization, decider: home }, catalogue, atMs, options)
  return {
    // Nobody votes where the users of another organization decide than that of the caller.
    isEligible: (live, userId) =>
      (live.activity.home ?? organization.organizationId) === home.organizationId && isEligible(live, userId),
    ...more,
    userOf: (userId, isErased) => {
      const key = isErased ? `${userId} erased` : userId
      const found = shown.get(key) ?? userOf(whereIs(sight, userId), userId, isErased)
      shown.set(key, found)
      return found
    },
    publicKeyOf: ({ userId, credentialId }) =>
      users.of(whereIs(sight, userId)).get(userId)?.credentials.get(credentialId)?.publicKey ?? '',
  }
}

/** The state in which a user is shown. Ids of users are unique. */
const whereIs = ({ organization, home }: Sight, userId: string): Organization =>
  users.of(organization).has(userId) || !users.of(home).has(userId) ? organization : home

/**
 * An activity as `caller` may see it now.
 *
 * @param rules  without `reveal`, what is sealed for the requester is left out
 * @param voters  shared by all activities of an answer
 */
export const viewOf = (
  sight: Sight,
  { catalogue, reveal }: Pick<Rules, 'catalogue' | 'reveal'>,
  live: LiveActivity,
  caller: string,
  atMs: number,
  voters = votersOfAnswer(sight, catalogue, atMs),
): ActivityView => {
  const { activity } = live
  const decoded = unlessItThrows(undefined, () => live.decoded)
  const { version, operation } = catalogue.byType(activity.type) ?? {}
  const hidden = caller === activity.requester ? [] : (operation?.passwords ?? [])
  const echo = decoded && without(hidden, decoded.echo)
  const eligible = isWaiting(activity.status) && unlessItThrows(false, () => voters.isEligible(live, caller))
  const isGiven = eligible && unlessItThrows(true, () => voters.approvalOf(live, caller) === 'given')
  return {
    id: activity.activityId,
    organizationId: activity.organizationId,
    status: activity.status,
    type: activity.type,
    intent: version === undefined || echo === undefined ? {} : { [version.intentName]: echo },
    result: unlessItThrows({}, () => resultOf(activity, version, caller === activity.requester ? reveal : undefined)),
    votes: votesIn(voters, live, hidden.length > 0 && (echo === undefined || echo !== decoded?.echo)),
    fingerprint: activity.fingerprint,
    canApprove: eligible && !isGiven,
    canReject: eligible,
    appProofs: [],
    createdAtMs: activity.createdAtMs,
    updatedAtMs: activity.updatedAtMs,
    failure: activity.failure,
  }
}

const resultOf = (
  { result, parts }: Activity,
  version: Version | undefined,
  reveal: Reveal | undefined,
): ActivityView['result'] => {
  if (version === undefined || result === undefined) return {}
  const encoded = version.encodeResult(result, parts, reveal)
  // A host's `encodeResult` may give what is no JSON. It is written and read here, so that it cannot spoil a whole list.
  return { [version.resultName]: version.isPlainResult ? encoded : (parseJson(JSON.stringify(encoded)) as Json) }
}

/** If a host's code throws, its member is left out of the view, and the activity stays in every list. */
const unlessItThrows = <A>(otherwise: A, read: () => A): A => {
  try {
    return read()
  } catch {
    return otherwise
  }
}

/** The intent with empty texts in place of what nobody but the requester may see; the same one where it has nothing of that. */
const without = (hidden: readonly string[], echo: Json): Json =>
  hidden.some((name) => hasMember(name, echo)) ? emptied(hidden, echo) : echo

const hasMember = (wanted: string, json: Json): boolean => {
  if (Array.isArray(json)) return json.some((one: Json) => hasMember(wanted, one))
  return (
    isObject(json) &&
    Object.entries(json).some(([name, value]) => (name === wanted && value !== '') || hasMember(wanted, value))
  )
}

const emptied = (hidden: readonly string[], json: Json): Json => {
  if (Array.isArray(json)) return json.map((one: Json) => emptied(hidden, one))
  if (!isObject(json)) return json
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [name, hidden.includes(name) ? '' : emptied(hidden, value)]),
  )
}

/** @param hides  whether the body of the request is not shown, whoever has sent it */
const votesIn = (voters: VotersOfAnswer, { activity, requests }: LiveActivity, hides: boolean): readonly VoteView[] => {
  const views = activity.votes.map((vote) => voteView(voters, activity, vote, requests.get(vote.id)))
  const body = views[0]?.message
  return hides ? views.map((view) => (view.message === body ? { ...view, message: '' } : view)) : views
}

const voteView = (
  voters: VotersOfAnswer,
  activity: Activity,
  vote: Vote,
  request: StampedRequest | undefined,
): VoteView => {
  const stamp = request === undefined ? undefined : readStamp(request)
  return {
    id: vote.id,
    userId: vote.userId,
    user: voters.userOf(vote.userId, request === undefined),
    activityId: activity.activityId,
    selection: vote.selection,
    message: request === undefined ? '' : (decodeUtf8(request.body) ?? ''),
    publicKey: stamp === undefined ? '' : (kindOfStamp(stamp).keyIn(stamp)?.publicKey ?? voters.publicKeyOf(vote)),
    signature: stamp === undefined ? '' : kindOfStamp(stamp).signatureOf(stamp, request?.stamp ?? ''),
    scheme: vote.scheme,
    createdAtMs: vote.atMs,
  }
}

/** The user in the present state; only the id and the last name if the user was deleted. */
const userOf = (organization: Organization, userId: string, isErased: boolean): JsonObject => {
  const user = users.of(organization).get(userId)
  const userName = (isErased ? undefined : formerUsers.of(organization).get(userId)) ?? ''
  return UserView.encode(userView(user ?? { ...NOBODY, userId, userName })) as JsonObject // codecs of the wire give JSON
}

const NOBODY: Omit<User, 'userId' | 'userName'> = {
  tagIds: [],
  credentials: new Map(),
  deletedCredentials: new Map(),
  mfaPolicies: new Map(),
  oauthProviders: new Map(),
  createdAtMs: 0,
  updatedAtMs: 0,
}

/** What the rules said at each vote, as the wire carries it. */
export const evaluationsOf = ({ activity }: LiveActivity): readonly ShownEvaluations[] =>
  activity.votes.map((vote) => ({
    id: vote.id,
    activityId: activity.activityId,
    organizationId: activity.organizationId,
    voteId: vote.id,
    policyEvaluations: vote.decision.verdict.evaluations,
    createdAt: timestamp(vote.atMs),
  }))
