import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import { E } from '../../../core/prelude.ts'
import type { ActivityView } from '../../../core/view/activity-view.ts'
import { codeOf, right, stamped, world, type Person } from '../world/world.ts'
import { faultyStore, heldAtAppend } from './faulty-store.ts'
import { isWaiting } from '../world/under-way.ts'
import { assertSound, eventsOf, votesOf } from './history.ts'
import { seenBy, type Seen } from './seen-by.ts'

const it = suite('vote')

const HOUR = 60 * 60_000
const tag = (userTagName: string) => ({ userTagName, userIds: [] })

/** A world with ada, grace and joan, where tags need the approval of two. */
const council = async (threshold = 2) => {
  const w = await world({ store: faultyStore() })
  const [ada, grace, joan] = [await w.enrol('ada'), await w.enrol('grace'), await w.enrol('joan')]
  const policy = await w.done(w.root, 'create_policy', {
    policyName: 'two',
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'USER'",
    consensus: `approvers.count() >= ${threshold}`,
    notes: '',
  })
  const { policyId } = policy.result.createPolicyResult as { readonly policyId: string }
  let n = 0
  const propose = (person: Person = ada): Promise<ActivityView> =>
    w.done(person, 'create_user_tag', tag(`tag ${(n += 1)}`))
  return { ...w, ada, grace, joan, policyId, propose }
}

it('counts one vote of a user who votes 64 times at once, with two keys', async () => {
  const w = await council(3)
  const key = generateKey('API_KEY_CURVE_P256')
  const apiKey = { apiKeyName: 'second', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }
  await w.done(w.grace, 'create_api_keys', { userId: w.grace.userId, apiKeys: [apiKey] })
  const pending = await w.propose()
  const votes = Array.from({ length: 64 }, (_, i) => w.approve(i % 2 === 0 ? w.grace : { key }, pending))
  for (const vote of await Promise.all(votes)) assert.is(right(vote).status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  assert.is(await votesOf(w, pending.id), 1)
  await w.close()
})

it('ends once when the last approval races a rejection', async () => {
  const w = await council()
  const outcomes = new Set<string>()
  for (let round = 0; round < 60; round += 1) {
    const pending = await w.propose()
    const votes = [
      () => w.approve(w.grace, pending),
      () => w.reject(w.joan, pending),
      () => w.approve(w.joan, pending),
      () => w.reject(w.ada, pending),
    ]
    const told = await Promise.all((round % 2 === 0 ? votes : votes.toReversed()).map((vote) => vote()))
    const statuses = new Set(told.map((each) => right(each).status))
    assert.is(statuses.size, 1)
    for (const status of statuses) outcomes.add(status)
  }
  assert.ok(outcomes.has('ACTIVITY_STATUS_REJECTED'))
  assertSound(await eventsOf(w))
  await w.close()
})

it('changes nothing by a vote on what has ended', async () => {
  const w = await council()
  const completed = right(await w.approve(w.grace, await w.propose()))
  const rejected = right(await w.reject(w.joan, await w.propose()))
  const before = (await eventsOf(w)).length
  for (const { id, status, fingerprint } of [completed, rejected]) {
    for (const person of [w.ada, w.grace, w.joan, w.root]) {
      for (const path of ['approve_activity', 'reject_activity']) {
        const voted = right(await w.submit(person, path, { fingerprint }))
        assert.equal([voted.id, voted.status, voted.canApprove, voted.canReject], [id, status, false, false])
      }
    }
  }
  assert.is((await eventsOf(w)).length, before)
  await w.close()
})

it('is rejected by its own requester', async () => {
  const w = await council()
  const pending = await w.propose()
  assert.is(pending.canReject, true)
  assert.is(right(await w.reject(w.ada, pending)).status, 'ACTIVITY_STATUS_REJECTED')
  await w.close()
})

it('takes the same body from another user as an approval', async () => {
  const w = await council()
  const body = w.body('create_user_tag', tag('ops'))
  const pending = right(await w.send(w.ada, 'create_user_tag', body))
  assert.is(pending.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  assert.is(right(await w.send(w.ada, 'create_user_tag', body)).votes.length, 1)
  const completed = right(await w.send(w.grace, 'create_user_tag', body))
  assert.equal([completed.id, completed.status, completed.votes.length], [pending.id, 'ACTIVITY_STATUS_COMPLETED', 2])
  await w.close()
})

it('refuses a vote that is long: every answer shows an activity with the bodies of all its votes', async () => {
  const w = await council()
  const long = { ...tag('long'), more: 'x'.repeat(17_000) }
  const body = w.body('create_user_tag', long)
  const open = right(await w.send(w.ada, 'create_user_tag', body))
  assert.is(codeOf(await w.send(w.grace, 'create_user_tag', body)), 'REQUEST_TOO_LARGE')
  const padded = w.body('approve_activity', { fingerprint: open.fingerprint, more: 'x'.repeat(17_000) })
  assert.is(codeOf(await w.send(w.grace, 'approve_activity', padded)), 'REQUEST_TOO_LARGE')
  assert.is(await votesOf(w, open.id), 0)
  assert.is(right(await w.approve(w.grace, open)).status, 'ACTIVITY_STATUS_COMPLETED')
  assert.is(right(await w.send(w.grace, 'create_user_tag', body)).id, open.id) // it is shown what has ended
  await w.close()
})

it('refuses votes of those who may not, who are gone, or whose key has expired', async () => {
  const w = await council()
  const key = generateKey('API_KEY_CURVE_P256')
  const brief = {
    apiKeyName: 'brief',
    publicKey: key.publicKey,
    curveType: 'API_KEY_CURVE_P256',
    expirationSeconds: '60',
  }
  await w.done(w.grace, 'create_api_keys', { userId: w.grace.userId, apiKeys: [brief] })
  const pending = await w.propose()
  w.clock.pass(59_999)
  assert.is(E.isRight(await w.ask({ key }, 'whoami')), true)
  w.clock.pass(1)
  assert.is(codeOf(await w.approve({ key }, pending)), 'API_KEY_EXPIRED')
  await w.done(w.root, 'delete_users', { userIds: [w.joan.userId] })
  assert.is(codeOf(await w.approve(w.joan, pending)), 'PUBLIC_KEY_NOT_FOUND')
  await w.done(w.root, 'update_policy', {
    policyId: w.policyId,
    policyConsensus: `approvers.any(user, user.id == '${w.root.userId}')`,
  })
  assert.is(codeOf(await w.approve(w.grace, pending)), 'REQUEST_NOT_AUTHORIZED')
  assert.is(codeOf(await w.reject(w.grace, pending)), 'REQUEST_NOT_AUTHORIZED')
  assert.is(codeOf(await w.approve(w.root, { ...pending, fingerprint: 'sha256:00' })), 'ACTIVITY_NOT_FOUND')
  assert.is(await votesOf(w, pending.id), 0)
  await w.close()
})

it('refuses a vote of a user whom a removal overtakes', async () => {
  const store = faultyStore()
  const w = await world({ store })
  const ada = await w.enrol('ada')
  await w.done(w.root, 'update_root_quorum', { threshold: 2, userIds: [w.root.userId, ada.userId] })
  const removal = await w.done(w.root, 'update_root_quorum', { threshold: 1, userIds: [w.root.userId] })
  const pending = await w.done(w.root, 'create_user_tag', tag('ops'))
  right(await w.approve(ada, removal))
  const { begun: deleted, letGo } = await heldAtAppend(store, () =>
    w.submit(w.root, 'delete_users', { userIds: [ada.userId] }),
  )
  const vote = w.approve(ada, pending)
  assert.is(await isWaiting(vote), true)
  letGo()
  assert.is(right(await deleted).status, 'ACTIVITY_STATUS_COMPLETED')
  assert.is(codeOf(await vote), 'PUBLIC_KEY_NOT_FOUND')
  await w.close()
})

it('decides on the rules and users of the moment of each vote', async () => {
  const w = await council(3)
  const first = await w.propose()
  right(await w.approve(w.grace, first))
  await w.done(w.root, 'delete_users', { userIds: [w.grace.userId] })
  assert.is(right(await w.approve(w.joan, first)).status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED') // two, since grace is gone
  await w.done(w.root, 'update_policy', { policyId: w.policyId, policyConsensus: 'approvers.count() >= 2' })
  const second = await w.propose()
  await w.done(w.root, 'update_policy', { policyId: w.policyId, policyEffect: 'EFFECT_DENY', policyConsensus: '' })
  assert.is(codeOf(await w.approve(w.joan, second)), 'REQUEST_NOT_AUTHORIZED') // no policy asks for her any more
  assert.is(right(await w.approve(w.root, second)).status, 'ACTIVITY_STATUS_COMPLETED') // the quorum outranks policies
  await w.close()
})

it('lets approvals lapse after 24 hours, and takes them again', async () => {
  const w = await council(3)
  const pending = await w.propose()
  right(await w.approve(w.grace, pending))
  w.clock.pass(24 * HOUR)
  const seen = (person: Person) => seenBy(w, person, pending.id)
  for (const person of [w.ada, w.grace, w.joan]) assert.is((await seen(person)).canApprove, true)
  assert.is(right(await w.approve(w.joan, pending)).status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  w.clock.pass(24 * HOUR - 1)
  assert.is((await seen(w.joan)).canApprove, false)
  right(await w.approve(w.ada, pending))
  const completed = right(await w.approve(w.grace, pending))
  assert.is(completed.status, 'ACTIVITY_STATUS_COMPLETED')
  assert.is(completed.votes.length, 5, 'lapsed votes stay visible')
  await w.close()
})

it('does not renew a lapsed approval by a copy of what approved it', async () => {
  const w = await council(3)
  const body = w.body('create_user_tag', tag('ops'))
  const pending = right(await w.send(w.ada, 'create_user_tag', body))
  right(await w.send(w.grace, 'create_user_tag', body))
  w.clock.pass(23.5 * HOUR)
  const ballot = w.body('approve_activity', { fingerprint: pending.fingerprint })
  w.clock.pass(0.5 * HOUR)
  assert.is(right(await w.send(w.ada, 'create_user_tag', body)).status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  assert.is(codeOf(await w.send(w.grace, 'create_user_tag', body)), 'REQUEST_INVALID')
  assert.is(codeOf(await w.send(w.joan, 'create_user_tag', body)), 'REQUEST_INVALID')
  right(await w.send(w.joan, 'approve_activity', ballot)) // made in time, and never used before
  await w.close()
})

it('does not renew one by a copy of a vote that is less than an hour old', async () => {
  const w = await council(4)
  const pending = await w.propose()
  w.clock.pass(23.5 * HOUR)
  const ballot = w.body('approve_activity', { fingerprint: pending.fingerprint })
  assert.is(right(await w.send(w.joan, 'approve_activity', ballot)).votes.length, 2)
  assert.is(right(await w.send(w.joan, 'approve_activity', ballot)).votes.length, 2)
  w.clock.pass(0.5 * HOUR)
  assert.is(codeOf(await w.send(w.joan, 'approve_activity', ballot)), 'REQUEST_INVALID')
  assert.is(right(await w.approve(w.joan, pending)).votes.length, 3)
  assert.is(
    codeOf(await w.send(w.joan, 'approve_activity', ballot)),
    'no failure',
    'her approval counts: a copy changes nothing',
  )
  assert.is(await votesOf(w, pending.id), 2)
  await w.close()
})

it('does not renew one by a copy when somebody else has voted since', async () => {
  const w = await council(4)
  const pending = await w.propose()
  w.clock.pass(23.5 * HOUR)
  const ballot = w.body('approve_activity', { fingerprint: pending.fingerprint })
  right(await w.send(w.joan, 'approve_activity', ballot))
  w.clock.pass(0.5 * HOUR)
  right(await w.approve(w.grace, pending))
  assert.is(codeOf(await w.send(w.joan, 'approve_activity', ballot)), 'REQUEST_INVALID')
  assert.is(await votesOf(w, pending.id), 2)
  await w.close()
})

it('does not take the body of an activity as an approval once the approvals of its day have lapsed', async () => {
  const w = await council(4)
  const body = w.body('create_user_tag', tag('ops'))
  const pending = right(await w.send(w.ada, 'create_user_tag', body))
  w.clock.pass(24 * HOUR)
  right(await w.approve(w.grace, pending)) // a new day begins
  assert.is(codeOf(await w.send(w.joan, 'create_user_tag', body)), 'REQUEST_INVALID')
  right(await w.approve(w.joan, pending))
  await w.close()
})

it('counts a vote that the clock, set back, puts before the activity', async () => {
  const w = await council(3)
  const pending = await w.propose()
  w.clock.pass(-10_000)
  right(await w.approve(w.grace, pending))
  const again = right(await w.approve(w.grace, pending))
  assert.is(again.votes.length, 2)
  assert.is(right(await w.approve(w.joan, pending)).status, 'ACTIVITY_STATUS_COMPLETED')
  await w.close()
})

it('tells nobody of a vote before it is durable', async () => {
  const store = faultyStore()
  const w = await world({ store })
  const ada = await w.enrol('ada')
  await w.done(w.root, 'update_root_quorum', { threshold: 2, userIds: [w.root.userId, ada.userId] })
  const pending = await w.done(w.root, 'create_user_tag', tag('ops'))
  const { begun: vote, letGo } = await heldAtAppend(store, () => w.approve(ada, pending))
  const again = w.engine.submit(
    'approve_activity',
    stamped(ada, w.body('approve_activity', { fingerprint: pending.fingerprint })),
  )()
  const seen = w.ask(w.root, 'get_activity', { activityId: pending.id })
  assert.is(await isWaiting(Promise.race([vote, again, seen])), true)
  letGo()
  for (const each of [await vote, await again]) assert.is(right(each).status, 'ACTIVITY_STATUS_COMPLETED')
  assert.is((right(await seen).activity as Seen).status, 'ACTIVITY_STATUS_COMPLETED')
  await w.close()
})

it.run()
