import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import type { ActivityView } from '../../../core/view/activity-view.ts'
import { audited, exported } from '../audit/logs.ts'
import { family, childOf } from '../resources/sub-organization/children.ts'
import { codeOf, right, world, type Person, type World } from '../world/world.ts'
import { anyPasskey, paramsOf } from '../world/software-passkey.ts'
import { API_KEY, KEY_AND_PASSKEY, keyringOf, PASSKEY, requires, steps, TWO_KEYS } from './factors.ts'
import { assertSound, eventsOf, storyOf } from './history.ts'

const it = suite('second factors')

const FACTOR = 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED'
const WAITS = 'ACTIVITY_STATUS_CONSENSUS_NEEDED'
const DONE = 'ACTIVITY_STATUS_COMPLETED'

/** A world in which ada and grace may make tags, each alone. */
const office = async (consensus = 'approvers.count() >= 1') => {
  const made = await world()
  const [ada, grace] = [await made.enrol('ada'), await made.enrol('grace')]
  const policy = { policyName: 'tags', effect: 'EFFECT_ALLOW', condition: "activity.resource == 'USER'", consensus }
  await made.done(made.root, 'create_policy', { ...policy, notes: '' })
  let n = 0
  const propose = (person: Person): Promise<ActivityView> =>
    made.done(person, 'create_user_tag', { userTagName: `tag ${(n += 1)}`, userIds: [] })
  return { ...made, propose, ada: await keyringOf(made, ada), grace: await keyringOf(made, grace) }
}

const votesOf = async (made: World, { id }: ActivityView): Promise<number> =>
  (await storyOf(made, id)).filter((type) => type === 'Voted').length

/** The factors of each decision on an activity, as the log has them. */
const factorsIn = async (made: World, { id }: ActivityView): Promise<readonly (readonly string[])[]> =>
  (await eventsOf(made)).flatMap(({ activity, data }) =>
    activity === id && 'decision' in data ? [data.decision.basis.factors] : [],
  )

const statusOf = async (made: World, reader: Person, { id }: ActivityView, userId?: string) =>
  (await made.answer(reader, 'get_mfa_status', { activityId: id, ...(userId && { userId }) }))['mfaStatuses']

const seenBy = async (made: World, reader: Person, { id }: ActivityView) => {
  const { activity } = await made.answer(reader, 'get_activity', { activityId: id })
  const { status, canApprove } = activity as { readonly status: string; readonly canApprove: boolean }
  return [status, canApprove]
}

const closed = async (made: World): Promise<void> => {
  assertSound(await eventsOf(made))
  assert.equal((await audited(await exported(made.storage.store))).findings, [])
  await made.close()
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
  assert.is(await votesOf(made, open), 0)
  await closed(made)
})

it('are not given by a credential that meets no missing step, nor by one of another user', async () => {
  const made = await office()
  const { first, second, passkey } = made.ada
  await requires(made, first, KEY_AND_PASSKEY)
  const open = await made.propose(first)
  assert.is(right(await made.approve(second, open)).status, FACTOR) // another key, and the step for a key is met
  assert.is(await votesOf(made, open), 0)
  assert.is(right(await made.approve(made.grace.first, open)).status, FACTOR)
  assert.is(right(await made.approve(made.grace.passkey, open)).status, FACTOR)
  assert.is(await votesOf(made, open), 1) // that of grace, who needs no factor
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

it('are wanted of whoever changes what wants them', async () => {
  const made = await office()
  const { root } = made
  const boss = await keyringOf(made, root)
  const mfaPolicyId = await requires(made, root, KEY_AND_PASSKEY, { condition: "activity.resource == 'MFA_POLICY'" })
  const deletion = await made.done(root, 'delete_mfa_policy', { userId: root.userId, mfaPolicyId })
  assert.is(deletion.status, FACTOR)
  const update = await made.done(root, 'update_mfa_policy', { userId: root.userId, mfaPolicyId, condition: 'false' })
  assert.is(update.status, FACTOR)
  assert.is(right(await made.approve(boss.passkey, deletion)).status, DONE)
  const { mfaPolicies } = await made.answer(root, 'get_mfa_policies', { userId: root.userId })
  assert.equal(mfaPolicies, [])
  await closed(made)
})

it('stop a stolen key from registering a passkey to be its own factor, where a policy says so', async () => {
  const made = await office()
  const { first, passkey } = made.ada
  const { userId } = first
  await requires(made, first, KEY_AND_PASSKEY, { condition: "activity.resource == 'CREDENTIAL'" })
  const thief = anyPasskey()
  const authenticators = [paramsOf(thief)]
  const open = await made.done(first, 'create_authenticators', { userId, authenticators })
  assert.is(open.status, FACTOR)
  assert.is(codeOf(await made.approve({ ...first, passkey: thief }, open)), 'CREDENTIAL_NOT_FOUND')
  assert.is(right(await made.approve(passkey, open)).status, DONE)
  const [status] = (await statusOf(made, first, open)) as readonly { readonly satisfied: boolean }[]
  assert.is(status?.satisfied, true) // the request is inspected again for that
  await closed(made)
})

it('are asked of the parent by the parent, and of a child by the child', async () => {
  const made = await family()
  const { root } = made
  const child = await childOf(made)
  const own = await keyringOf(child, child.root)
  await requires(child, child.root, TWO_KEYS)
  const open = await child.done(child.root, 'create_user_tag', { userTagName: 'tag', userIds: [] })
  assert.is(open.status, FACTOR)
  assert.is(right(await child.approve(own.second, open)).status, DONE)
  const boss = await keyringOf(made, root)
  await requires(made, root, TWO_KEYS, { condition: "activity.type == 'ACTIVITY_TYPE_ERASE_USER'" })
  const bob = await child.enrol('bob')
  await child.done(child.root, 'delete_users', { userIds: [bob.userId] })
  const erasure = await child.done(root, 'erase_user', { userId: bob.userId })
  assert.is(erasure.status, FACTOR)
  // The users of the child are not shown the policies of the parent.
  const asked = { activityId: erasure.id }
  assert.equal((await child.answer(child.root, 'get_mfa_status', asked))['mfaStatuses'], [])
  const { mfaStatuses } = await child.answer(root, 'get_mfa_status', asked)
  assert.is((mfaStatuses as readonly unknown[]).length, 1)
  assert.is(right(await child.approve(boss.second, erasure)).status, DONE)
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

it('are kept from activities that only the root quorum may allow by `true`, not by what these do not have', async () => {
  const made = await office()
  const { root } = made
  const boss = await keyringOf(made, root)
  const rename = { organizationName: 'renamed' }
  const only = await requires(made, root, TWO_KEYS, { condition: "activity.resource == 'ORGANIZATION'" })
  assert.is((await made.done(root, 'update_organization_name', rename)).status, DONE)
  await made.done(root, 'update_mfa_policy', { userId: root.userId, mfaPolicyId: only, condition: 'true' })
  const open = await made.done(root, 'update_organization_name', { organizationName: 'again' })
  assert.is(open.status, FACTOR)
  assert.is(right(await made.approve(boss.second, open)).status, DONE)
  await closed(made)
})

it('go with their user', async () => {
  const made = await office()
  const { first } = made.grace
  await requires(made, first, TWO_KEYS)
  await made.done(made.root, 'delete_users', { userIds: [first.userId] })
  assert.is(codeOf(await made.ask(made.root, 'get_mfa_policies', { userId: first.userId })), 'RESOURCE_NOT_FOUND')
  await closed(made)
})

it.run()
