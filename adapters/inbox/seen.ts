/*
 * What the inbox reads of the answers of a server: only the members that it needs, because a newer server may have more, and other statuses.
 * All code of this folder runs in browsers, too.
 */
import * as t from 'io-ts'
import { Uuid } from '../../core/codec/codec.ts'
import { DateTime, Timestamp } from '../../core/codec/timestamp.ts'
import type { ShownRequest } from '../../core/view/shown-request.ts'

const Time = t.union([DateTime, Timestamp])
const Selection = t.keyof({ VOTE_SELECTION_APPROVED: null, VOTE_SELECTION_REJECTED: null })
const SeenVote = t.type({
  id: t.string,
  userId: t.string,
  user: t.UnknownRecord,
  selection: Selection,
  message: t.string,
  publicKey: t.string,
  signature: t.string,
  scheme: t.string,
  createdAt: Time,
})
export type SeenVote = t.TypeOf<typeof SeenVote>

export const SeenActivity = t.type({
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

export const SeenUser = t.intersection([
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

export const SeenTag = t.type({ tagId: t.string, tagName: t.string })
export type SeenTag = t.TypeOf<typeof SeenTag>

export const SeenPolicy = t.type({ policyId: t.string, policyName: t.string, consensus: t.string })
export type SeenPolicy = t.TypeOf<typeof SeenPolicy>

export const SeenEvaluations = t.type({
  policyEvaluations: t.readonlyArray(t.type({ policyId: t.string, outcome: t.string })),
  createdAt: Time,
})
export type SeenEvaluations = t.TypeOf<typeof SeenEvaluations>

/** How far a voter has met an MFA policy. */
export const SeenFactors = t.type({
  userId: t.string,
  satisfied: t.boolean,
  satisfiedMethods: t.UnknownArray,
  requiredMethods: t.UnknownArray,
})
export type SeenFactors = t.TypeOf<typeof SeenFactors>

export const Quorum = t.type({ threshold: t.number, userIds: t.readonlyArray(t.string) })
export type Quorum = t.TypeOf<typeof Quorum>

/** What somebody has asked for, by the bytes that they stamped. */
export type SeenRequest = ShownRequest<SeenVote>

/** Whether the server says that the request of a vote was erased or left out. The requester's vote is the first one. */
export const isErased = (vote: SeenVote | undefined): boolean => vote?.message === ''
