import * as t from 'io-ts'
import type { Status } from '../log/standing.ts'
import { GENESIS_TYPE } from '../activity/genesis.ts'
import { AnyJson, JsonObject, Uuid } from '../codec/codec.ts'
import { described, named } from '../codec/described.ts'
import { fields } from '../codec/fields.ts'
import { Timestamp, timestamp } from '../codec/timestamp.ts'
import { oncePer } from '../collections/once-per.ts'
import type { Failure, Json } from '../failure.ts'
import { Evaluation } from '../log/decision.ts'
import { Selection } from '../log/event.ts'
import { AppProof } from './app-proof.ts'
import { FailureView, failureView } from './failure-view.ts'

/** An activity as one caller sees it, before it is written for the wire. */
export type ActivityView = {
  readonly id: string
  readonly organizationId: string
  readonly status: Status
  readonly type: string
  /** One member, named after the operation; empty if the request was erased or left out. */
  readonly intent: { readonly [name: string]: Json }
  /** One member after completion; empty before. */
  readonly result: { readonly [name: string]: Json }
  readonly votes: readonly VoteView[]
  readonly fingerprint: string
  readonly canApprove: boolean
  readonly canReject: boolean
  /** Those that were asked for, of a completed activity; in lists of activities, none. */
  readonly appProofs: readonly AppProof[]
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly failure: Failure | undefined
}

/** The answer to a submit: the activity, and when the caller made the request that is answered. */
export type SubmittedView = ActivityView & {
  /** The `timestampMs` of the submitted body, by the caller's clock: the body of the activity, or of the vote on it. */
  readonly requestedAtMs: number
}

export type VoteView = Omit<ShownVote, 'createdAt'> & { readonly createdAtMs: number }

/** A vote as the wire carries it. */
export const ShownVote = named(
  'Vote',
  fields({
    id: t.string,
    userId: t.string,
    user: described(JsonObject, 'the user as of now; id and last name of a user who was deleted'),
    activityId: Uuid,
    selection: Selection,
    message: described(
      t.string,
      'the body that the voter stamped; empty where it was erased, or denied and above 64 KiB',
    ),
    publicKey: t.string,
    signature: t.string,
    scheme: t.string,
    createdAt: Timestamp,
  }),
)
export type ShownVote = t.TypeOf<typeof ShownVote>

const meanings: Readonly<Record<Status, string>> = {
  ACTIVITY_STATUS_PENDING: 'work outside is under way',
  ACTIVITY_STATUS_COMPLETED: 'done, with a result',
  ACTIVITY_STATUS_FAILED: 'over, with a failure',
  ACTIVITY_STATUS_CONSENSUS_NEEDED: 'waits for votes',
  ACTIVITY_STATUS_REJECTED: 'denied, or rejected by votes',
  ACTIVITY_STATUS_AUTHENTICATORS_NEEDED: 'waits for a second factor',
}
const allMeanings = Object.entries(meanings).map(([status, meaning]) => `${status}: ${meaning}`)

// The codecs of operations give JSON. It is not checked again: if a host's codec gives something else, lists of activities still work.
const Members = t.record(t.string, t.unknown)

/** The members of an activity in every answer. */
export const activityMembers = {
  id: Uuid,
  organizationId: Uuid,
  status: described(t.keyof(meanings), allMeanings.join('; ')),
  type: described(t.string, 'the type that it was submitted as'),
  intent: described(
    Members,
    'one member, which has the parameters; none where the request was erased, was denied and is above 64 KiB, or began the organization',
  ),
  result: described(Members, 'one member when the activity is completed'),
  votes: t.readonlyArray(ShownVote),
  fingerprint: described(t.string, 'what a vote names the activity by'),
  canApprove: t.boolean,
  canReject: t.boolean,
}

/** A member that is always an empty list. */
export const Unused = described(t.readonlyArray(AnyJson), 'always empty')

export const AppProofs = described(
  t.readonlyArray(AppProof),
  'what the deployment signs of a completed activity whose body asks for it; in lists of activities, nothing',
)

export const FailureOrNull = t.union([FailureView, t.null])

/** An activity as queries show it. The HTTP adapter gives it the form of the wire. */
export const ShownActivity = named(
  'Activity',
  described(
    fields({
      ...activityMembers,
      appProofs: AppProofs,
      createdAt: Timestamp,
      updatedAt: Timestamp,
      failure: FailureOrNull,
    }),
    'an activity as queries show it',
  ),
)
export type ShownActivity = t.TypeOf<typeof ShownActivity>

/** The approximate number of bytes of a written activity: mostly the bodies, which stand there twice, and the result. */
export const bytesOf = ({ votes, result }: ActivityView): number =>
  votes.reduce(
    (bytes, { message, user }) => bytes + 2 * (message.length + lengthOf(user)) + VOTE_BYTES,
    JSON.stringify(result).length - BRACES,
  )

const VOTE_BYTES = 1_000
const BRACES = 2

/** Computed once for each user, because an answer has the same user beside many votes. */
const lengthOf = oncePer((user: JsonObject) => JSON.stringify(user).length)

/** An activity as queries show it. */
export const renderActivity = (view: ActivityView): ShownActivity => ({
  id: view.id,
  organizationId: view.organizationId,
  status: view.status,
  type: view.type,
  intent: view.type === GENESIS_TYPE ? {} : view.intent, // docs/decisions/wire.md
  result: view.result,
  votes: view.votes.map(renderVote),
  fingerprint: view.fingerprint,
  canApprove: view.canApprove,
  canReject: view.canReject,
  appProofs: view.appProofs,
  createdAt: timestamp(view.createdAtMs),
  updatedAt: timestamp(view.updatedAtMs),
  failure: view.failure === undefined ? null : failureView(view.failure),
})

const renderVote = ({ createdAtMs, ...vote }: VoteView): ShownVote => ({ ...vote, createdAt: timestamp(createdAtMs) })

/** The outcomes of policies at a vote, as the wire carries them. */
export const ShownEvaluations = named(
  'PolicyEvaluations',
  fields({
    id: t.string,
    activityId: Uuid,
    organizationId: Uuid,
    voteId: t.string,
    policyEvaluations: t.readonlyArray(Evaluation),
    createdAt: Timestamp,
  }),
)
export type ShownEvaluations = t.TypeOf<typeof ShownEvaluations>
