import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { childOf, family } from '../resources/sub-organization/children.ts'
import { anyPasskey, paramsOf } from '../world/software-passkey.ts'
import { codeOf, right } from '../world/world.ts'
import { closed, DONE, FACTOR, KEY_AND_PASSKEY, keyringOf, office, requires, statusOf, TWO_KEYS } from './factors.ts'

/* What second factors guard, and what goes on without them. */
const it = suite('what second factors guard')

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
  assert.is(((await statusOf(child, root, open)) as readonly unknown[]).length, 1)
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
