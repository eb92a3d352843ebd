import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../../core/failure.ts'
import { hashOf } from '../../../core/log/chain.ts'
import { eraseUser } from '../../../core/resources/erasure/erase-user.ts'
import type { ActivityView } from '../../../core/view/activity-view.ts'
import { audited, digest, exported } from '../audit/logs.ts'
import { beginning, begunBy, childOf, family } from '../resources/sub-organization/children.ts'
import { anyPasskey, paramsOf } from '../world/software-passkey.ts'
import { codeOf, placeIn, right, type Person, type Place, type World } from '../world/world.ts'

const it = suite('parents of organizations')

/** A child with a user who was deleted, and a parent with a second user. */
const scene = async () => {
  const w = await family()
  const ada = await w.enrol('ada')
  const child = await childOf(w)
  const bob = await child.enrol('bob')
  await child.done(child.root, 'delete_users', { userIds: [bob.userId] })
  const erase = (person: Person) => child.submit(person, 'erase_user', { userId: bob.userId })
  return { w, ada, child, bob, erase }
}
const end = async (w: World): Promise<void> => {
  const { findings } = await audited(await exported(w.storage.store), {}, [eraseUser])
  assert.equal(findings, [])
  await w.close()
}
/** The end of a log, as an export or an audit tells it: a deleted organization answers no query. */
const headOf = async ({ storage }: World, { organizationId }: Place): Promise<Json> => {
  const head = right(await storage.store.head(organizationId)())
  if (head === undefined) throw new Error('expected a log')
  return { sequence: String(head.sequence), hash: hashOf(digest, head.line) }
}
const statusOf = ({ status }: ActivityView): string => status.replace('ACTIVITY_STATUS_', '')
const mayVote = async (place: Place, person: Person, { id }: ActivityView) => {
  const { activity } = await place.answer(person, 'get_activity', { activityId: id })
  const { canApprove, canReject } = activity as { readonly canApprove: boolean; readonly canReject: boolean }
  return [canApprove, canReject]
}
const policy = (more: { readonly [member: string]: Json }): Json => ({
  policyName: 'one',
  effect: 'EFFECT_ALLOW',
  notes: '',
  ...more,
})

it('decide with their own quorum what an operation lets them, and the log below keeps it', async () => {
  const { w, child, erase } = await scene()
  const done = right(await erase(w.root))
  assert.equal([statusOf(done), done.organizationId], ['COMPLETED', child.organizationId])
  const { activity } = await child.answer(child.root, 'get_activity', { activityId: done.id })
  const { votes } = activity as { readonly votes: readonly { readonly user: { readonly userName: string } }[] }
  assert.equal(
    votes.map(({ user }) => user.userName),
    [''],
    'the child does not know users of its parent',
  )
  await end(w)
})

it('decide by their own policies, and deny by them', async () => {
  const { w, ada, erase, child } = await scene()
  const allows = policy({ consensus: 'true', condition: "activity.resource == 'USER' && activity.action == 'ERASE'" })
  await child.done(child.root, 'create_policy', allows)
  assert.is(codeOf(await erase(ada)), 'REQUEST_NOT_AUTHORIZED')
  await w.done(w.root, 'create_policy', allows)
  assert.is(statusOf(right(await erase(ada))), 'COMPLETED')
  await end(w)
})

it('vote on it, and nobody of the organization below does', async () => {
  const { w, ada, child, erase } = await scene()
  const grace = await w.enrol('grace')
  await w.done(w.root, 'update_root_quorum', { threshold: 2, userIds: [w.root.userId, ada.userId] })
  const waiting = right(await erase(w.root))
  assert.is(statusOf(waiting), 'CONSENSUS_NEEDED')
  assert.equal(await mayVote(child, ada, waiting), [true, true])
  assert.equal(await mayVote(child, w.root, waiting), [false, true])
  assert.equal(await mayVote(child, grace, waiting), [false, false])
  assert.equal(await mayVote(child, child.root, waiting), [false, false])
  assert.is(codeOf(await child.approve(child.root, waiting)), 'REQUEST_NOT_AUTHORIZED')
  assert.is(codeOf(await child.approve(grace, waiting)), 'REQUEST_NOT_AUTHORIZED')
  assert.is(codeOf(await w.approve(ada, waiting)), 'ACTIVITY_NOT_FOUND')
  assert.is(statusOf(right(await child.approve(ada, waiting))), 'COMPLETED')
  await end(w)
})

it('vote on nothing that the organization below decides', async () => {
  const { w, child } = await scene()
  const eve = await child.enrol('eve two')
  await child.done(child.root, 'update_root_quorum', { threshold: 2, userIds: [child.root.userId, eve.userId] })
  const body = child.body('create_user_tag', { userTagName: 'a', userIds: [] })
  const waiting = right(await child.send(child.root, 'create_user_tag', body))
  assert.equal(await mayVote(child, w.root, waiting), [false, false])
  for (const answer of [await child.approve(w.root, waiting), await child.send(w.root, 'create_user_tag', body)])
    assert.is(codeOf(answer), 'ORGANIZATION_MISMATCH')
  assert.is(statusOf(right(await child.approve(eve, waiting))), 'COMPLETED')
  await end(w)
})

it('have data erased in an organization that was deleted, two of them if it takes two', async () => {
  const { w, ada, child } = await scene()
  await w.done(w.root, 'update_root_quorum', { threshold: 2, userIds: [w.root.userId, ada.userId] })
  const body = child.body('delete_sub_organization', {})
  right(await child.send(child.root, 'delete_sub_organization', body))
  assert.is(statusOf(right(await child.send(child.root, 'delete_sub_organization', body))), 'COMPLETED')
  assert.is(codeOf(await child.send(w.root, 'delete_sub_organization', body)), 'ORGANIZATION_NOT_FOUND')
  const erase = async (person: Person) =>
    child.submit(person, 'erase_user', { userId: child.root.userId, head: await headOf(w, child) })
  const waiting = right(await erase(w.root))
  assert.is(statusOf(waiting), 'CONSENSUS_NEEDED')
  assert.is(codeOf(await child.approve(child.root, waiting)), 'ORGANIZATION_NOT_FOUND')
  assert.is(statusOf(right(await child.approve(ada, waiting))), 'COMPLETED')
  assert.is(codeOf(await erase(w.root)), 'REQUEST_INVALID', 'it is erased already')
  await end(w)
})

/** A child whose user has a passkey in place of a key. */
const withPasskey = async (w: World): Promise<Place> => {
  const passkey = anyPasskey()
  const parameters = beginning({ name: 'eve', publicKey: '' }) as { readonly rootUsers: readonly object[] }
  const rootUsers = parameters.rootUsers.map((user) => ({ ...user, apiKeys: [], authenticators: [paramsOf(passkey)] }))
  const { subOrganizationId, rootUserIds } = begunBy(
    await w.done(w.root, 'create_sub_organization', { ...parameters, rootUsers }),
  )
  return placeIn(w, subOrganizationId, { key: w.root.key, passkey, userId: rootUserIds[0] ?? '', apiKeyId: '' })
}

it('say from which origins passkeys below are accepted', async () => {
  const w = await family()
  const child = await withPasskey(w)
  const set = (place: Place, value: string) =>
    place.done(place.root, 'set_organization_feature', { name: 'FEATURE_NAME_WEBAUTHN_ORIGINS', value })
  await set(child, 'https://elsewhere.example')
  right(await child.ask(child.root, 'whoami'))
  await set(w, 'https://elsewhere.example')
  assert.is(codeOf(await child.ask(child.root, 'whoami')), 'SIGNATURE_INVALID')
  assert.is(
    codeOf(await child.submit(child.root, 'create_user_tag', { userTagName: 'a', userIds: [] })),
    'SIGNATURE_INVALID',
  )
  await w.done(w.root, 'remove_organization_feature', { name: 'FEATURE_NAME_WEBAUTHN_ORIGINS' })
  right(await child.submit(child.root, 'create_user_tag', { userTagName: 'a', userIds: [] }))
  await end(w)
})

it.run()
