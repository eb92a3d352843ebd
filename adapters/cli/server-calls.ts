/* The calls of the inbox to a server. Only this file knows how they are stamped, sent and read. */
import * as t from 'io-ts'
import { encodeUtf8 } from '../../core/bytes.ts'
import { decode, Uuid } from '../../core/codec/codec.ts'
import { DateTime, Timestamp } from '../../core/codec/timestamp.ts'
import { ERASE_USER_TYPE } from '../../core/activity/erasure.ts'
import { E } from '../../core/prelude.ts'
import { Head } from '../../core/resources/erasure/erasing.ts'
import { FailureView } from '../../core/view/failure-view.ts'
import { readFailure } from '../../core/view/read-activity.ts'
import { stamp } from '../signatures/signer.ts'
import { callerFlags, sayCaller, type CallerOptions } from './caller.ts'
import { readCaller } from '../credentials/credentials.ts'
import { jsonIn, refusalText, send, urlOf } from './send.ts'
import { refusal, unusable } from './stop.ts'

export type CallOptions = CallerOptions

// Only the members that the inbox needs: a newer server may have more, and other statuses.
const Time = t.union([DateTime, Timestamp])
const Selection = t.keyof({ VOTE_SELECTION_APPROVED: null, VOTE_SELECTION_REJECTED: null })
const SeenVote = t.type({
  userId: t.string,
  user: t.UnknownRecord,
  selection: Selection,
  message: t.string,
  publicKey: t.string,
  createdAt: Time,
})
export type SeenVote = t.TypeOf<typeof SeenVote>

const SeenActivity = t.type({
  id: Uuid,
  organizationId: Uuid,
  status: t.string,
  type: t.string,
  intent: t.UnknownRecord,
  votes: t.readonlyArray(SeenVote),
  fingerprint: t.string,
  canApprove: t.boolean,
  canReject: t.boolean,
  createdAt: Time,
  updatedAt: Time,
  failure: t.union([t.null, t.type({ message: t.string })]),
})
export type SeenActivity = t.TypeOf<typeof SeenActivity>

const SeenUser = t.intersection([
  t.type({
    userId: Uuid,
    userName: t.string,
    userTags: t.readonlyArray(t.string),
    apiKeys: t.readonlyArray(
      t.type({ apiKeyId: t.string, credential: t.type({ publicKey: t.string, type: t.string }) }),
    ),
  }),
  t.partial({ userEmail: t.string }),
])
export type SeenUser = t.TypeOf<typeof SeenUser>

const SeenPolicy = t.type({ policyId: t.string, policyName: t.string, consensus: t.string })
export type SeenPolicy = t.TypeOf<typeof SeenPolicy>

const SeenEvaluations = t.type({
  policyEvaluations: t.readonlyArray(t.type({ policyId: t.string, outcome: t.string })),
  createdAt: Time,
})
export type SeenEvaluations = t.TypeOf<typeof SeenEvaluations>

/** How far a voter has met an MFA policy. */
const SeenFactors = t.type({
  userId: t.string,
  satisfied: t.boolean,
  satisfiedMethods: t.UnknownArray,
  requiredMethods: t.UnknownArray,
})
export type SeenFactors = t.TypeOf<typeof SeenFactors>

const Quorum = t.type({ threshold: t.number, userIds: t.readonlyArray(t.string) })
export type Quorum = t.TypeOf<typeof Quorum>

/** An event with data of a person, and the parts of it that an erasure would erase. */
const SeenPlace = t.type({
  sequence: t.string,
  activityId: Uuid,
  parts: t.readonlyArray(t.string),
})
export type SeenPlace = t.TypeOf<typeof SeenPlace>

/** Of whom, and which requests: `NAMING`, those that hold their data, or `MADE`, also those that they made. */
export type ToErase = { readonly userId: string; readonly requests: 'NAMING' | 'MADE' }

const SeenErasure = t.type({ erasedParts: t.number })
/** What an erasure has erased. */
export type SeenErasure = t.TypeOf<typeof SeenErasure>

export type Page = {
  readonly statuses?: readonly string[] | undefined
  /** 1 to 100. */
  readonly limit: number
  /** The id of the activity behind which the page begins. */
  readonly before?: string | undefined
}

/** A server, for the user of a credentials file. A refusal stops the command, as does an answer that cannot be read. */
export type ServerCalls = {
  readonly organizationId: string
  /** The flags with which a command for people to paste makes its calls to the same server as the same user. */
  readonly flags: string
  /** Says on standard error as whom the calls are made. */
  readonly sayCaller: () => void
  readonly activities: (page: Page) => Promise<readonly SeenActivity[]>
  readonly activity: (activityId: string) => Promise<SeenActivity>
  readonly evaluations: (activityId: string) => Promise<readonly SeenEvaluations[]>
  readonly factors: (activityId: string) => Promise<readonly SeenFactors[]>
  readonly users: () => Promise<readonly SeenUser[]>
  readonly tags: () => Promise<readonly { readonly tagId: string; readonly tagName: string }[]>
  readonly policies: () => Promise<readonly SeenPolicy[]>
  readonly quorum: () => Promise<Quorum>
  /** Where the log has data of a person; `after` is the `next` of the page before. */
  readonly personalPlaces: (
    toErase: ToErase & { readonly after?: string },
  ) => Promise<{ readonly places: readonly SeenPlace[]; readonly head: Head; readonly next: string | null }>
  readonly eraseUser: (toErase: ToErase & { readonly head: Head }) => Promise<SeenActivity>
  readonly vote: (path: 'approve_activity' | 'reject_activity', fingerprint: string) => Promise<SeenActivity>
}

/** @param signal  calls off the calls that are under way */
export const serverCalls = async (options: CallOptions, signal?: AbortSignal): Promise<ServerCalls> => {
  const { credentials, url } = options
  const caller = await readCaller(credentials)
  const { key, baseUrl, organizationId } = caller
  if (organizationId === undefined) throw unusable(`${credentials} has no organizationId`)

  const call = async <A>(path: string, members: object, Codec: t.Type<A, unknown>): Promise<A> => {
    const body = encodeUtf8(JSON.stringify({ organizationId, timestampMs: String(Date.now()), ...members }))
    const to = urlOf(`/public/v1/${path}`, url ?? baseUrl ?? undefined)
    const answered = await send(to, body, stamp(key, body), { timeoutMs: TIMEOUT_MS, signal })
    const answer = jsonIn(answered.text)
    if (answered.status < 200 || answered.status >= 300)
      throw refusal(isNoErasure(path, answer) ? NO_ERASURE : refusalText(path, answered))
    const read = decode(Codec, path)(answer)
    if (E.isLeft(read)) throw refusal(`the answer of the server cannot be read: ${read.left.message}`)
    return read.right
  }
  const query = <A>(path: string, members: object, Codec: t.Type<A, unknown>) => call(`query/${path}`, members, Codec)

  return {
    organizationId,
    flags: callerFlags(options),
    sayCaller: () => sayCaller(credentials, caller),
    activities: async ({ statuses, limit, before }) => {
      const paginationOptions = { limit: String(limit), ...(before === undefined ? {} : { before }) }
      const wanted = { paginationOptions, ...(statuses === undefined ? {} : { filterByStatus: statuses }) }
      return (await query('list_activities', wanted, t.type({ activities: t.readonlyArray(SeenActivity) }))).activities
    },
    activity: async (activityId) =>
      (await query('get_activity', { activityId }, t.type({ activity: SeenActivity }))).activity,
    evaluations: async (activityId) =>
      (await query('get_policy_evaluations', { activityId }, EvaluationsAnswer)).policyEvaluations,
    factors: async (activityId) =>
      (await query('get_mfa_status', { activityId }, t.type({ mfaStatuses: t.readonlyArray(SeenFactors) })))
        .mfaStatuses,
    users: async () => (await query('list_users', {}, t.type({ users: t.readonlyArray(SeenUser) }))).users,
    tags: async () => (await query('list_user_tags', {}, TagsAnswer)).userTags,
    policies: async () =>
      (await query('list_policies', {}, t.type({ policies: t.readonlyArray(SeenPolicy) }))).policies,
    quorum: async () => (await query('get_organization_configs', {}, QuorumAnswer)).configs.quorum,
    personalPlaces: (wanted) => query('list_personal_places', wanted, PlacesAnswer),
    eraseUser: async (parameters) =>
      (await call('submit/erase_user', { type: ERASE_USER_TYPE, parameters }, t.type({ activity: SeenActivity })))
        .activity,
    vote: async (path, fingerprint) => {
      const type = `ACTIVITY_TYPE_${path.toUpperCase()}`
      const voted = { type, parameters: { fingerprint } }
      return (await call(`submit/${path}`, voted, t.type({ activity: SeenActivity }))).activity
    },
  }
}

/** What an erasure that is completed has erased. */
export const erasureIn = (activity: SeenActivity): SeenErasure | undefined =>
  Completed.is(activity) ? activity.result.eraseUserResult : undefined

const Completed = t.type({ result: t.type({ eraseUserResult: SeenErasure }) })

const PlacesAnswer = t.type({
  places: t.readonlyArray(SeenPlace),
  head: Head,
  next: t.union([t.string, t.null]),
})
const EvaluationsAnswer = t.type({ policyEvaluations: t.readonlyArray(SeenEvaluations) })
const TagsAnswer = t.type({ userTags: t.readonlyArray(t.type({ tagId: t.string, tagName: t.string })) })
const QuorumAnswer = t.type({ configs: t.type({ quorum: Quorum }) })

const TIMEOUT_MS = 10_000

const isNoErasure = (path: string, answer: unknown): boolean =>
  (path === 'query/list_personal_places' || path === 'submit/erase_user') &&
  FailureView.is(answer) &&
  readFailure(answer).code === 'ROUTE_NOT_FOUND'

const NO_ERASURE =
  'this server does not erase personal data: start it with countersign serve --erasure, or add erasure to its resources'
