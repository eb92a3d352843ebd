import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import type { ActivityView } from '../../../core/view/activity-view.ts'
import { right, type Person, type World } from '../world/world.ts'
import {
  API_KEY,
  closed,
  DONE,
  FACTOR,
  KEY_AND_PASSKEY,
  office,
  PASSKEY,
  requires,
  statusOf,
  steps,
  TWO_KEYS,
  WAITS,
} from './factors.ts'
import { eventsOf, votesOf } from './history.ts'

const it = suite('second factors')

/** The factors of each decision on an activity, as the log has them. */
const factorsIn = async (made: World, { id }: ActivityView): Promise<readonly (readonly string[])[]> =>
  (await eventsOf(made)).flatMap(({ activity, data }) =>
    activity === id && 'decision' in data ? [data.decision.basis.factors] : [],
  )

const seenBy = async (made: World, reader: Person, { id }: ActivityView) => {
  const { activity } = await made.answer(reader, 'get_activity', { activityId: id })
  const { status, canApprove } = activity as { readonly status: string; readonly canApprove: boolean }
  return [status, canApprove]
}

it('are given by an approval with another credential of the requester, and the log names them', async () => {
  const made = await office()
  const { first, passkey } = made.ada
  const mfaPolicyId = await requires(made, first, KEY_AND_PASSKEY)
  const open = await made.propose(first)
  assert.equal([open.status, open.canApprove, open.votes.length], [FACTOR, true, 1])
  const entry = { mfaPolicyId, userId: first.userId, requiredMethods: KEY_AND_PASSKEY }
  const key = { ...API_KEY, id: first.apiKeyId }
  assert.equal(await statusOf(made, made.grace.first, open), [{ ...entry, satisfied: false, satisfiedMethods: [key] }])
  const done = right(await made.approve(passkey, open))
  assert.equal([done.status, done.votes.map(({ userId }) => userId)], [DONE, [first.userId, first.userId]])
  const both = [key, { ...PASSKEY, id: passkey.apiKeyId }]
  assert.equal(await statusOf(made, made.grace.first, open), [{ ...entry, satisfied: true, satisfiedMethods: both }])
  assert.equal(await factorsIn(made, open), [[first.apiKeyId], [first.apiKeyId, passkey.apiKeyId].toSorted()])
  await closed(made)
})

it('are asked of nobody without a policy that counts: clients ask for a factor as long as there is an entry', async () => {
  const made = await office('approvers.count() >= 2')
  const { first } = made.ada
  await requires(made, first, TWO_KEYS, { condition: "activity.resource == 'POLICY'" })
  const open = await made.propose(first)
  assert.equal([open.status, await statusOf(made, first, open)], [WAITS, []])
  await requires(made, made.grace.first, TWO_KEYS)
  assert.equal(await statusOf(made, first, open), []) // grace has not voted
  right(await made.approve(made.grace.first, open))
  assert.equal(await statusOf(made, first, open), await statusOf(made, first, open, made.grace.first.userId))
  assert.equal(await statusOf(made, first, open, first.userId), [])
  assert.equal(await factorsIn(made, open), [[], [made.grace.first.apiKeyId]])
  await closed(made)
})

it('are not given by one credential, however often it votes', async () => {
  const made = await office()
  const { first } = made.ada
  await requires(made, first, TWO_KEYS)
  const open = await made.propose(first)
  const votes = Array.from({ length: 20 }, () => made.approve(first, open))
  for (const vote of await Promise.all(votes)) assert.is(right(vote).status, FACTOR)
  assert.is(await votesOf(made, open.id), 0)
  await closed(made)
})

it('are not given by a credential that meets no missing step, nor by one of another user', async () => {
  const made = await office()
  const { first, second, passkey } = made.ada
  await requires(made, first, KEY_AND_PASSKEY)
  const open = await made.propose(first)
  assert.is(right(await made.approve(second, open)).status, FACTOR) // another key, and the step for a key is met
  assert.is(await votesOf(made, open.id), 0)
  assert.is(right(await made.approve(made.grace.first, open)).status, FACTOR)
  assert.is(right(await made.approve(made.grace.passkey, open)).status, FACTOR)
  assert.is(await votesOf(made, open.id), 1) // that of grace, who needs no factor
  assert.is(right(await made.approve(passkey, open)).status, DONE)
  await closed(made)
})

it('are not given by the body of the activity, stamped again by its requester', async () => {
  const made = await office()
  const { first, second } = made.ada
  await requires(made, first, TWO_KEYS)
  const body = made.body('create_user_tag', { userTagName: 'once', userIds: [] })
  const open = right(await made.send(first, 'create_user_tag', body))
  const again = right(await made.send(second, 'create_user_tag', body))
  assert.equal([again.id, again.status, again.votes.length], [open.id, FACTOR, 1])
  assert.is(right(await made.approve(second, open)).status, DONE)
  await closed(made)
})

it('are given by another credential on the same vote', async () => {
  const made = await office('approvers.count() >= 2')
  const { first, second } = made.grace
  await requires(made, first, TWO_KEYS)
  const open = await made.propose(made.ada.first)
  const vote = made.body('approve_activity', { fingerprint: open.fingerprint })
  assert.is(right(await made.send(first, 'approve_activity', vote)).status, FACTOR)
  assert.is(right(await made.send(second, 'approve_activity', vote)).status, DONE)
  await closed(made)
})

it('are what an approver sees that is missing, and the others see an activity that waits', async () => {
  const made = await office('approvers.count() >= 2')
  const { first, passkey } = made.grace
  await requires(made, first, KEY_AND_PASSKEY)
  const open = await made.propose(made.ada.first)
  const voted = right(await made.approve(first, open))
  assert.equal([voted.status, voted.canApprove], [FACTOR, true])
  assert.is(right(await made.approve(first, open)).status, FACTOR) // changes nothing
  assert.equal(await seenBy(made, first, open), [WAITS, true])
  assert.equal(await seenBy(made, made.ada.first, open), [WAITS, false])
  const done = right(await made.approve(passkey, open))
  assert.equal([done.status, new Set(done.votes.map(({ userId }) => userId)).size], [DONE, 2])
  await closed(made)
})

it('make nobody a second approver', async () => {
  const made = await office('approvers.count() >= 2')
  const { first, second, passkey } = made.ada
  await requires(made, first, steps(API_KEY, API_KEY, PASSKEY))
  const open = await made.propose(first)
  assert.is(right(await made.approve(second, open)).status, FACTOR)
  const met = right(await made.approve(passkey, open))
  assert.equal([met.status, met.canApprove], [WAITS, false])
  assert.is(right(await made.approve(made.grace.first, open)).status, DONE)
  await closed(made)
})

it('do not switch a denial off where one is missing', async () => {
  const made = await office('approvers.count() >= 2')
  const { userId } = made.grace.first
  const consensus = `approvers.any(user, user.id == '${userId}')`
  const policy = { policyName: 'no', effect: 'EFFECT_DENY', condition: 'true', consensus, notes: '' }
  await made.done(made.root, 'create_policy', policy)
  await requires(made, made.grace.first, TWO_KEYS)
  const open = await made.propose(made.ada.first)
  assert.is(right(await made.approve(made.grace.first, open)).status, 'ACTIVITY_STATUS_REJECTED')
  await closed(made)
})

it('lapse with the approvals of their window', async () => {
  const made = await office()
  const { first, second } = made.ada
  await requires(made, first, TWO_KEYS)
  const open = await made.propose(first)
  made.clock.pass(25 * 60 * 60_000)
  assert.is(right(await made.approve(second, open)).status, FACTOR)
  assert.equal(await factorsIn(made, open), [[first.apiKeyId], [second.apiKeyId]])
  assert.is(right(await made.approve(first, open)).status, DONE)
  await closed(made)
})

it('do not count any more when their credential is deleted', async () => {
  const made = await office()
  const { first, second, passkey } = made.ada
  const { userId } = first
  await requires(made, first, steps(API_KEY, API_KEY, PASSKEY))
  const open = await made.propose(first)
  right(await made.approve(second, open))
  await made.done(made.root, 'delete_api_keys', { userId, apiKeyIds: [second.apiKeyId] })
  assert.is(right(await made.approve(passkey, open)).status, FACTOR)
  const lost = [first.apiKeyId, passkey.apiKeyId].toSorted()
  assert.equal((await factorsIn(made, open)).at(-1), lost)
  const key = generateKey('API_KEY_CURVE_P256')
  const apiKeys = [{ apiKeyName: 'third', publicKey: key.publicKey, curveType: key.curve }]
  await made.done(made.root, 'create_api_keys', { userId, apiKeys })
  assert.is(right(await made.approve({ key }, open)).status, DONE)
  await closed(made)
})

it('are wanted from the next decision on, and are those of that moment', async () => {
  const made = await office('approvers.count() >= 2')
  const { first } = made.ada
  const open = await made.propose(first)
  assert.is(open.status, WAITS)
  const mfaPolicyId = await requires(made, first, TWO_KEYS)
  assert.equal(await seenBy(made, first, open), [WAITS, true])
  assert.is(right(await made.approve(made.grace.first, open)).status, FACTOR)
  await made.done(made.root, 'delete_mfa_policy', { userId: first.userId, mfaPolicyId })
  // Nobody decides again by itself: the next vote does.
  assert.equal(await seenBy(made, first, open), [FACTOR, false])
  assert.is(right(await made.approve(made.root, open)).status, DONE)
  await closed(made)
})

it('are no part of a rejection', async () => {
  const made = await office()
  const { first } = made.ada
  await requires(made, first, TWO_KEYS)
  const open = await made.propose(first)
  assert.is(right(await made.reject(first, open)).status, 'ACTIVITY_STATUS_REJECTED')
  await closed(made)
})

it.run()
