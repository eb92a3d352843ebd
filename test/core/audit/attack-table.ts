import * as assert from 'uvu/assert'
import { generateKey, stamp } from '../../../adapters/signatures/signer.ts'
import { encodeUtf8 } from '../../../core/bytes.ts'
import { activityIdOf, fingerprintOf } from '../../../core/activity/identity.ts'
import { eventVersions } from '../../../core/log/event.ts'
import type { FindingCode } from '../../../core/log/finding.ts'
import { anyPasskey } from '../world/software-passkey.ts'
import { anotherId, decisionOf, find, must, votes, type Draft } from './forgery.ts'
import { digest, type Trio } from './logs.ts'

/** What somebody does to the drafts of an honest log, and what an audit has to find at least. */
export type Attack = readonly [
  name: string,
  change: (drafts: Draft[], made: Trio) => void,
  found: readonly FindingCode[],
  /** What it has to find instead where passkeys have stamped: their stamps name no key, only the state knows it. */
  byPasskeys?: readonly FindingCode[],
]

/** Attacks on the log of `eventful`. */
export const attacks: readonly Attack[] = [
  [
    'a vote is moved to another activity',
    (drafts) => {
      const [vote, other] = [find(drafts, 'ActivityVoted', 3), find(drafts, 'ActivityCreated', 8)]
      vote.event.activity = other.event.activity
    },
    ['REQUEST_DIFFERS'],
  ],
  [
    'a vote is counted for another user',
    (drafts, made) => (find(drafts, 'ActivityVoted').event.data.user = made.root.userId),
    ['STAMP_INVALID'],
  ],
  [
    'the stamps of two requests are swapped',
    (drafts) => {
      const [one, two] = [find(drafts, 'ActivityCreated', 5), find(drafts, 'ActivityVoted')]
      ;[one.request, two.request] = [
        { head: must(two.request).head, body: must(one.request).body },
        { head: must(one.request).head, body: must(two.request).body },
      ]
    },
    ['STAMP_INVALID', 'SIGNATURE_INVALID'],
    ['STAMP_INVALID'],
  ],
  [
    'a rejection becomes an approval',
    (drafts) => {
      const vote = votes(drafts, 'VOTE_SELECTION_REJECTED')
      vote.event.data.selection = 'VOTE_SELECTION_APPROVED'
    },
    ['DECISION_DIFFERS', 'REQUEST_DIFFERS'],
  ],
  [
    'a rejection is said to have allowed',
    (drafts) => (verdictOf(votes(drafts, 'VOTE_SELECTION_REJECTED')).outcome = 'ALLOWED'),
    ['DECISION_DIFFERS', 'STATUS_IMPOSSIBLE'],
  ],
  [
    'an activity is completed that nobody approved',
    (drafts) => {
      const created = find(drafts, 'ActivityCreated', 8)
      const completed = structuredClone(find(drafts, 'ActivityCompleted', 4))
      completed.event = {
        ...completed.event,
        id: anotherId(),
        activity: created.event.activity,
      }
      drafts.splice(drafts.indexOf(created) + 1, 0, completed)
    },
    ['STATUS_IMPOSSIBLE'],
  ],
  [
    'a decision is said to have allowed, and the activity is completed',
    (drafts) => (verdictOf(find(drafts, 'ActivityCreated', 5)).outcome = 'ALLOWED'),
    ['DECISION_DIFFERS', 'STATUS_IMPOSSIBLE'],
  ],
  [
    'a change says something else',
    (drafts) => (changeOf(drafts, 'ACTIVITY_TYPE_CREATE_USER_TAG').userTagName = 'other'),
    ['EXECUTION_DIFFERS'],
  ],
  [
    'a key is slipped into a change',
    (drafts) => {
      const { users } = changeOf(drafts, 'ACTIVITY_TYPE_CREATE_USERS_V4') as {
        users: { apiKeys: { publicKey: string }[]; authenticators?: { publicKey: string }[] }[]
      }
      must(users[0]?.apiKeys[0] ?? users[0]?.authenticators?.[0]).publicKey =
        generateKey('API_KEY_CURVE_P256').publicKey
    },
    ['EXECUTION_DIFFERS', 'STAMP_INVALID'],
    ['EXECUTION_DIFFERS', 'SIGNATURE_INVALID'],
  ],
  [
    'a policy is changed under the decisions that rest on it',
    (drafts) => {
      const { policies } = changeOf(drafts, 'ACTIVITY_TYPE_CREATE_POLICY_V3') as { policies?: { effect: string }[] }
      const change = changeOf(drafts, 'ACTIVITY_TYPE_CREATE_POLICY_V3') as { effect?: string }
      const policy = policies?.[0] ?? change
      policy.effect = 'EFFECT_DENY'
    },
    ['DECISION_DIFFERS', 'EXECUTION_DIFFERS'],
  ],
  [
    'the quorum is lowered',
    (drafts) => (changeOf(drafts, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM').threshold = 1),
    ['DECISION_DIFFERS', 'EXECUTION_DIFFERS'],
  ],
  [
    'a result tells of other ids',
    (drafts) =>
      (find(drafts, 'ActivityCompleted', 2).event.data.result = { userIds: ['00000000-0000-4000-8000-000000000000'] }),
    ['EXECUTION_DIFFERS'],
  ],
  [
    'a success is made a failure',
    (drafts) => {
      const completed = find(drafts, 'ActivityCompleted', 4)
      completed.event = {
        ...completed.event,
        type: 'ActivityFailed',
        version: eventVersions.ActivityFailed,
        data: { failure: { code: 'CONFLICT', message: 'no' }, revision: 1 },
      }
    },
    ['EXECUTION_DIFFERS'],
  ],
  [
    'a failure is made another one',
    (drafts) => (find(drafts, 'ActivityFailed').event.data.failure = { code: 'CONFLICT', message: 'no' }),
    ['EXECUTION_DIFFERS'],
  ],
  [
    'the body of a request is changed',
    (drafts) => {
      const { request } = find(drafts, 'ActivityCreated', 5)
      must(request).body = must(request).body.replace('approved', 'appro-ed')
    },
    ['EXECUTION_DIFFERS', 'REQUEST_DIFFERS', 'SIGNATURE_INVALID'],
  ],
  [
    'the body of a request is changed, and all that follows from it',
    (drafts, made) => {
      const created = find(drafts, 'ActivityCreated', 8)
      const before = created.event.activity
      must(created.request).body = must(created.request).body.replace('left open', 'left here')
      created.event.data.fingerprint = fingerprintOf(digest, encodeUtf8(must(created.request).body))
      created.event.activity = activityIdOf(digest, made.organizationId, created.event.data.fingerprint)
      assert.is.not(created.event.activity, before)
    },
    ['SIGNATURE_INVALID'],
  ],
  [
    'a decision is made on an older state',
    (drafts, made) =>
      (basisOf(find(drafts, 'ActivityVoted')).read = [{ organization: made.organizationId, sequence: '4' }]),
    ['BASIS_DIFFERS'],
  ],
  [
    'a decision is made on a state to come',
    (drafts, made) =>
      (basisOf(find(drafts, 'ActivityVoted')).read = [{ organization: made.organizationId, sequence: '30' }]),
    ['BASIS_DIFFERS'],
  ],
  [
    'a decision is made by other rules',
    (drafts) => (basisOf(find(drafts, 'ActivityVoted')).rules = 3),
    ['BASIS_DIFFERS'],
  ],
  [
    'a decision is made by rules that there are not',
    (drafts) => (basisOf(find(drafts, 'ActivityVoted')).rules = 2),
    ['BASIS_DIFFERS'],
  ],
  [
    'a decision counts another credential',
    (drafts, made) => (basisOf(find(drafts, 'ActivityVoted')).credential = made.root.userId),
    ['STAMP_INVALID'],
  ],
  [
    'an activity is moved to another time',
    (drafts) => {
      for (const { event } of drafts.slice(8, 9)) {
        event.at = '2026-01-02T00:00:00.000Z'
        basisOf({ event, request: undefined }).at = event.at
      }
    },
    ['REQUEST_DIFFERS'],
  ],
  [
    'an event is said to be of another time',
    (drafts) => (find(drafts, 'ActivityVoted').event.at = '2026-01-01T00:00:01.000Z'),
    ['STATUS_IMPOSSIBLE', 'TIME_DIFFERS'],
  ],
  [
    'a time is written otherwise',
    (drafts) => (find(drafts, 'ActivityFailed').event.at = '2026-01-01T00:00:00Z'),
    ['STATUS_IMPOSSIBLE', 'TIME_DIFFERS'],
  ],
  [
    'a vote is counted twice',
    (drafts) => {
      const vote = structuredClone(find(drafts, 'ActivityVoted', 6))
      vote.event.id = anotherId()
      drafts.splice(drafts.indexOf(find(drafts, 'ActivityVoted', 6)) + 1, 0, vote)
    },
    ['BASIS_DIFFERS', 'VOTE_INVALID'],
  ],
  ['a request is not named', (drafts) => (find(drafts, 'ActivityVoted').request = undefined), ['REQUEST_DIFFERS']],
  [
    'the organization is begun otherwise',
    (drafts) => (changeOf(drafts, 'ACTIVITY_TYPE_CREATE_ORGANIZATION').threshold = 2),
    ['DECISION_DIFFERS', 'EXECUTION_DIFFERS'],
  ],
  [
    'the organization is begun by somebody else',
    (drafts, made) => {
      const request = must(find(drafts, 'ActivityCreated').request)
      request.head.stamp = strangersStamp(made, request.body)
    },
    ['STAMP_INVALID'],
  ],
  ['the beginning is left out', (drafts) => drafts.splice(0, 2), ['GENESIS_INVALID']],
  ['the log ends inside a commit', (drafts) => drafts.splice(11 - 1), ['STATUS_IMPOSSIBLE']],
]

/** The change of the first completed activity of a type. */
export const changeOf = (drafts: readonly Draft[], type: string): { [member: string]: unknown } => {
  const found = must(drafts.find(({ event }) => event.type === 'ActivityCompleted' && event.data.type === type))
  return found.event.data.change as { [member: string]: unknown } // our own log
}

const verdictOf = (draft: Draft) => decisionOf(draft).verdict
const basisOf = (draft: Draft) => decisionOf(draft).basis

/** The stamp of somebody who is registered nowhere, of the kind that everybody has there. */
export const strangersStamp = ({ root }: Trio, body: string): string =>
  root.passkey === undefined
    ? stamp(generateKey('API_KEY_CURVE_P256'), encodeUtf8(body))
    : anyPasskey().stamp(encodeUtf8(body))
