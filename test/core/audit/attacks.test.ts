import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateKey, stamp } from '../../../adapters/signatures/signer.ts'
import { encodeUtf8 } from '../../../core/bytes.ts'
import { activityIdOf, fingerprintOf } from '../../../core/activity/identity.ts'
import { eventVersions } from '../../../core/log/event.ts'
import type { FindingCode } from '../../../core/log/finding.ts'
import { anotherId, decisionOf, draftsOf, find, forged, must, votes, type Draft } from './forgery.ts'
import { audited, codesIn, digest, eventfulLog, exported, neighbour, type Trio } from './logs.ts'

/*
 * What somebody can do who has the whole store, but no keys. All hashes are made anew after each of these, the closing
 * line too: what is found here is found by what the log means.
 */
const it = suite('attacks on a log')

let made: Trio
let honest = ''
it.before(async () => {
  ;({ made, honest } = await eventfulLog())
})
it.after(() => made.close())

type Attack = readonly [name: string, change: (drafts: Draft[]) => void, found: readonly FindingCode[]]

const attacks: readonly Attack[] = [
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
    (drafts) => (find(drafts, 'ActivityVoted').event.data.user = made.root.userId),
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
        users: { apiKeys: { publicKey: string }[] }[]
      }
      must(users[0]?.apiKeys[0]).publicKey = generateKey('API_KEY_CURVE_P256').publicKey
    },
    ['EXECUTION_DIFFERS', 'STAMP_INVALID'],
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
        data: { failure: { code: 'CONFLICT', message: 'no' } },
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
    (drafts) => {
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
    (drafts) => (basisOf(find(drafts, 'ActivityVoted')).read = [{ organization: made.organizationId, sequence: '4' }]),
    ['BASIS_DIFFERS'],
  ],
  [
    'a decision is made on a state to come',
    (drafts) => (basisOf(find(drafts, 'ActivityVoted')).read = [{ organization: made.organizationId, sequence: '30' }]),
    ['BASIS_DIFFERS'],
  ],
  [
    'a decision is made by other rules',
    (drafts) => (basisOf(find(drafts, 'ActivityVoted')).rules = 3),
    ['BASIS_DIFFERS'],
  ],
  [
    'a decision is made by older rules than those before it',
    (drafts) => (basisOf(find(drafts, 'ActivityVoted')).rules = 1),
    ['BASIS_DIFFERS'],
  ],
  [
    'a decision counts another credential',
    (drafts) => (basisOf(find(drafts, 'ActivityVoted')).credential = made.root.userId),
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
    (drafts) => {
      const key = generateKey('API_KEY_CURVE_P256')
      const request = must(find(drafts, 'ActivityCreated').request)
      request.head.stamp = stamp(key, encodeUtf8(request.body))
    },
    ['STAMP_INVALID'],
  ],
  ['the beginning is left out', (drafts) => drafts.splice(0, 2), ['GENESIS_INVALID']],
  ['the log ends inside a commit', (drafts) => drafts.splice(11 - 1), ['STATUS_IMPOSSIBLE']],
]

for (const [name, change, found] of attacks) {
  it(`are found: ${name}`, async () => {
    const drafts = draftsOf(honest)
    change(drafts)
    const codes = codesIn(await audited(forged(drafts)))
    for (const code of found)
      assert.ok(codes.includes(code), `expected ${code} among ${codes.join(', ') || 'no findings'}`)
  })
}

it('are not seen where there are none', async () => assert.equal(codesIn(await audited(forged(draftsOf(honest)))), []))

it('are found: an activity is added by a key that nobody registered, or with the stamp of another request', async () => {
  const drafts = draftsOf(honest)
  const completed = find(drafts, 'ActivityCompleted', 2)
  const created = find(drafts, 'ActivityCreated', 2)
  const body = must(created.request).body.replace('ada', 'eve')
  const fingerprint = fingerprintOf(digest, encodeUtf8(body))
  const activity = activityIdOf(digest, made.organizationId, fingerprint)
  for (const header of [stamp(generateKey('API_KEY_CURVE_P256'), encodeUtf8(body)), must(created.request).head.stamp]) {
    const added: Draft = structuredClone(created)
    added.event = { ...added.event, activity, id: anotherId(), data: { ...added.event.data, fingerprint } }
    added.request = { head: { header: 'X-Stamp', stamp: header }, body }
    const changed: Draft = structuredClone(completed)
    changed.event = { ...changed.event, activity, id: anotherId() }
    const codes = codesIn(await audited(forged([...drafts.slice(0, 4), added, changed])))
    assert.ok(codes.includes('STAMP_INVALID') || codes.includes('SIGNATURE_INVALID'), codes.join())
  }
})

it('are found: events of another organization are spliced in', async () => {
  const other = await neighbour(made)
  const drafts = draftsOf(await exported(made.storage.store))
  for (const { event } of drafts) if (event.organization === other) event.organization = made.organizationId
  const codes = codesIn(await audited(forged(drafts)))
  assert.equal(codes, ['BASIS_DIFFERS', 'REQUEST_DIFFERS', 'STAMP_INVALID', 'TIME_DIFFERS'])
})

/** The change of the first completed activity of a type. */
const changeOf = (drafts: readonly Draft[], type: string): { [member: string]: unknown } => {
  const found = must(drafts.find(({ event }) => event.type === 'ActivityCompleted' && event.data.type === type))
  return found.event.data.change as { [member: string]: unknown } // our own log
}

const verdictOf = (draft: Draft) => decisionOf(draft).verdict
const basisOf = (draft: Draft) => decisionOf(draft).basis

it.run()
