import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createOrganization } from '../../../core/resources/organization/create-organization.ts'
import { bytesOf, renderActivity, type ActivityView, type VoteView } from '../../../core/view/activity-view.ts'

const it = suite('an activity in the answers of queries')

const vote = (members: Partial<VoteView>): VoteView => ({
  id: 'v',
  userId: 'u',
  user: {},
  activityId: 'a',
  selection: 'VOTE_SELECTION_APPROVED',
  message: '',
  publicKey: 'k',
  signature: 's',
  scheme: 'x',
  createdAtMs: -1,
  ...members,
})

const view = (members: Partial<ActivityView>): ActivityView => ({
  id: 'a',
  organizationId: 'o',
  status: 'ACTIVITY_STATUS_COMPLETED',
  type: 'ACTIVITY_TYPE_CREATE_USER_TAG',
  intent: { createUserTagIntent: { userTagName: 'one' } },
  result: {},
  votes: [],
  fingerprint: 'f',
  canApprove: false,
  canReject: false,
  appProofs: [],
  createdAtMs: 1_763_600_000_123,
  updatedAtMs: 1_763_600_060_000,
  failure: undefined,
  ...members,
})

it('shows what was asked for, but not how an organization began', () => {
  assert.equal(renderActivity(view({})).intent, view({}).intent)
  assert.equal(renderActivity(view({ type: createOrganization.type })).intent, {})
})

it('shows a failure only where there is one', () => {
  assert.is(renderActivity(view({})).failure, null)
  const failed = view({ failure: { code: 'CONFLICT', message: 'try again' } })
  assert.is((renderActivity(failed).failure as { message: string }).message, 'try again')
})

it('writes its times as objects, and those of its votes', () => {
  const voted = view({ votes: [vote({})] })
  const { createdAt, updatedAt, votes } = renderActivity(voted)
  assert.equal(
    [createdAt, updatedAt],
    [
      { seconds: '1763600000', nanos: '123000000' },
      { seconds: '1763600060', nanos: '0' },
    ],
  )
  assert.match(JSON.stringify(votes), '"createdAt":{"seconds":"-1","nanos":"999000000"}')
})

// A page of activities ends by it: one that counts too little is as long as its reader can bear, and longer.
it('takes about as many bytes as are counted: the body and what was asked for, and a user in each answer', () => {
  const text = 'x'.repeat(100_000)
  for (const [message, user] of [
    [text, {}],
    ['', { userName: text }],
    [text, { userName: text }],
  ] as const) {
    const voted = view({ intent: { keepTextIntent: { text: message } }, votes: [vote({ message, user })] })
    const counted = bytesOf(voted)
    const written = JSON.stringify(renderActivity(voted)).length
    assert.ok(counted >= written && counted <= 2.5 * written, `${counted} for ${written}`)
    assert.is(bytesOf(voted), counted)
    assert.is(bytesOf({ ...voted, votes: [...voted.votes, ...voted.votes] }), 2 * counted)
  }
})

it.run()
