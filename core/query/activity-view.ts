import type { Failure, Json } from '../failure.ts'
import type { Status } from '../activity/activity.ts'
import { oncePer } from '../once-per.ts'
import { createOrganization } from '../operations/organization/create-organization.ts'
import { failureView } from './failure-view.ts'
import { timestampAs, timestamp } from './timestamp.ts'
import type { Timestamps } from './query.ts'

/** An activity as a caller may see it: what the wire carries, before it is written. */
export type ActivityView = {
  readonly id: string
  readonly organizationId: string
  readonly status: Status
  readonly type: string
  /** One member, named after the operation; empty where the request was erased. */
  readonly intent: { readonly [name: string]: Json }
  /** One member after completion; empty before. */
  readonly result: { readonly [name: string]: Json }
  readonly votes: readonly VoteView[]
  readonly fingerprint: string
  readonly canApprove: boolean
  readonly canReject: boolean
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly failure: Failure | undefined
}

export type VoteView = {
  readonly id: string
  readonly userId: string
  /** The user as of now. */
  readonly user: Json
  readonly activityId: string
  readonly selection: string
  /** The raw body that the voter signed; empty where it was erased. */
  readonly message: string
  readonly publicKey: string
  readonly signature: string
  readonly scheme: string
  readonly createdAtMs: number
}

/** About how many bytes an activity takes when it is written: most of it are the bodies, which stand there twice. */
export const bytesOf = ({ votes }: ActivityView): number =>
  votes.reduce((bytes, { message, user }) => bytes + 2 * (message.length + lengthOf(user)) + VOTE_BYTES, 0)

const VOTE_BYTES = 1_000

/** The same user stands beside many votes of an answer. */
const lengthOf = (user: Json): number => (typeof user !== 'object' || user === null ? 0 : writtenLength(user))
const writtenLength = oncePer((user: object) => JSON.stringify(user).length)

/**
 * Writes an activity for the wire.
 *
 * @param timestamps  how `createdAt` and `updatedAt` are written; times inside votes are always objects
 */
export const renderActivity = (view: ActivityView, timestamps: Timestamps): { readonly [member: string]: Json } => ({
  id: view.id,
  organizationId: view.organizationId,
  status: view.status,
  type: view.type,
  intent: view.type === createOrganization.type ? {} : view.intent, // docs/decisions/014
  result: view.result,
  votes: view.votes.map(renderVote),
  appProofs: [],
  fingerprint: view.fingerprint,
  canApprove: view.canApprove,
  canReject: view.canReject,
  createdAt: timestampAs(timestamps, view.createdAtMs),
  updatedAt: timestampAs(timestamps, view.updatedAtMs),
  failure: view.failure === undefined ? null : failureView(view.failure),
})

const renderVote = ({ createdAtMs, ...vote }: VoteView): Json => ({ ...vote, createdAt: timestamp(createdAtMs) })
