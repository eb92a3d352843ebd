import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeBase64, encodeUtf8 } from '../../../core/bytes.ts'
import { activityAt } from '../../../core/command/activity-at.ts'
import { failure, type Json } from '../../../core/failure.ts'
import { E } from '../../../core/prelude.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import type { ActivityView } from '../../../core/view/activity-view.ts'
import { borderClient } from '../resources/bundle/border.ts'
import { family } from '../resources/sub-organization/children.ts'
import { account, makeKeys, makeWallet, privateKey } from '../resources/wallet/wallet-world.ts'
import { beginBelow, codeOf, right, world, type World } from '../world/world.ts'
import { recordsOf, replayed, storyOf } from './history.ts'
import { ada, personResource } from './persons.ts'

const it = suite('an activity as it stood after an event')

const tag = { userTagName: 'ops', userIds: [] }

type Named = Pick<ActivityView, 'id' | 'organizationId'>

/** Reads activities of a world as they stood. */
const reader = ({ storage, engine: { catalogue } }: Pick<World, 'storage' | 'engine'>, store = storage.store) => {
  const fresh = async (organizationId: string) =>
    E.right({ state: replayed(organizationId, await recordsOf({ storage, organizationId }), catalogue) })
  const at = activityAt({ storage: { store }, rules: { catalogue }, organizations: { fresh } })
  const asked = ({ id, organizationId }: Named, revision: number, seenFrom = organizationId) =>
    at({ organizationId, activityId: id, revision: BigInt(revision), seenFrom })
  return { asked, at: async (...of: Parameters<typeof asked>) => right(await asked(...of)) }
}

/** A world in which so many have to vote for a tag, with those who can. */
const quorum = async (of: number) => {
  const w = await world()
  const people = []
  for (let n = 0; n < of; n += 1) people.push(await w.enrol(`voter ${n}`))
  const consensus = `approvers.count() >= ${of}`
  await w.done(w.root, 'create_policy', { policyName: 'all', effect: 'EFFECT_ALLOW', consensus, notes: '' })
  const [first, ...others] = people
  if (first === undefined) throw new Error('somebody asks')
  return { ...w, first, others, ...reader(w) }
}

const shapeOf = (view: ActivityView | undefined) =>
  view && [view.status, view.votes.length, Object.keys(view.result), view.canApprove, view.canReject]

it('waits with one vote after its creation, has more later, and a result after the last', async () => {
  const { at, first, others, root, ...w } = await quorum(3)
  const { id, organizationId } = await w.done(first, 'create_user_tag', tag)
  for (const each of others) {
    const pending = await at({ id, organizationId }, 1)
    if (pending === undefined) throw new Error('the log has it')
    w.clock.pass(1_000)
    right(await w.approve(each, pending))
  }
  assert.equal(await storyOf({ ...w }, id), ['Created', 'Voted', 'Voted', 'Completed'])
  const views = [await at({ id, organizationId }, 1), await at({ id, organizationId }, 2)]
  assert.equal(views.map(shapeOf), [
    ['ACTIVITY_STATUS_CONSENSUS_NEEDED', 1, [], false, false],
    ['ACTIVITY_STATUS_CONSENSUS_NEEDED', 2, [], false, false],
  ])
  const last = await at({ id, organizationId }, 4)
  assert.equal(shapeOf(last), ['ACTIVITY_STATUS_COMPLETED', 3, ['createUserTagResult'], false, false])
  assert.equal(
    [...views, last].map((view) => (view?.updatedAtMs ?? 0) - (view?.createdAtMs ?? 0)),
    [0, 1_000, 2_000],
  )
  const { activity } = await w.answer(root, 'get_activity', { activityId: id })
  const shown = activity as { readonly [member: string]: unknown }
  assert.equal([last?.result, last?.intent], [shown['result'], shown['intent']])
  await w.close()
})

it('is seen as by nobody who could vote, also where it waits for somebody', async () => {
  const { at, first, others, ...w } = await quorum(2)
  const pending = await w.done(first, 'create_user_tag', tag)
  const view = await at(pending, 1)
  assert.equal([view?.canApprove, view?.canReject], [false, false])
  assert.equal(view?.votes[0]?.userId, first.userId)
  assert.match(view?.votes[0]?.message ?? '', 'ops')
  const [other] = others
  right(await w.reject(other ?? first, pending))
  assert.equal(shapeOf(await at(pending, 1)), ['ACTIVITY_STATUS_CONSENSUS_NEEDED', 1, [], false, false])
  const revision = (await storyOf({ ...w }, pending.id)).length
  assert.equal(shapeOf(await at(pending, revision)), ['ACTIVITY_STATUS_REJECTED', 2, [], false, false])
  await w.close()
})

it('is not there where the log has not that revision, or not that activity', async () => {
  const { at, first, others, ...w } = await quorum(2)
  const pending = await w.done(first, 'create_user_tag', tag)
  assert.ok(await at(pending, 1))
  for (const revision of [0, 2, 99]) assert.is(await at(pending, revision), undefined)
  assert.is(await at({ ...pending, id: w.organizationId }, 1), undefined)
  assert.is(await at({ ...pending, organizationId: first.userId }, 1), undefined)
  for (const each of others) right(await w.approve(each, pending))
  assert.is((await at(pending, 2))?.votes.length, 2)
  await w.close()
})

it('says so where the store does not answer', async () => {
  const { first, ...w } = await quorum(2)
  const pending = await w.done(first, 'create_user_tag', tag)
  const readActivity = () => async () => E.left(failure('UNAVAILABLE', 'not now'))
  const { asked } = reader(w, { ...w.storage.store, readActivity })
  assert.is(codeOf(await asked(pending, 1)), 'UNAVAILABLE')
  await w.close()
})

it('has the votes of a parent, whose users only its own members are shown', async () => {
  const w = await family()
  const child = await beginBelow(w, w)
  const bob = await child.enrol('bob')
  await child.done(child.root, 'delete_users', { userIds: [bob.userId] })
  const erased = right(await child.submit(w.root, 'erase_user', { userId: bob.userId }))
  const revision = (await storyOf({ ...w, organizationId: child.organizationId }, erased.id)).length
  for (const seenFrom of [child.organizationId, w.organizationId]) {
    const view = await reader(w).at(erased, revision, seenFrom)
    assert.is(view?.status, 'ACTIVITY_STATUS_COMPLETED')
    const caller = seenFrom === w.organizationId ? w.root : child.root
    const { activity } = await child.answer(caller, 'get_activity', { activityId: erased.id })
    const { votes: shown } = activity as { readonly votes: readonly { readonly [member: string]: Json }[] }
    assert.equal(view?.votes.map(({ userId, user }) => [userId, user]), shown.map(({ userId, user }) => [userId, user])) // prettier-ignore
    assert.is(JSON.stringify(view?.votes).includes('"userName":"root"'), seenFrom === w.organizationId)
  }
  await w.close()
})

it('has nothing of what its work brought for the requester alone, and its other results', async () => {
  const w = await world()
  const { walletId } = await makeWallet(w, 'made', account())
  const [key] = await makeKeys(w, privateKey('one'))
  const privateKeyId = key?.privateKeyId ?? ''
  const targetPublicKey = borderClient().publicKey
  const encryptionSuite = 'TRANSPORT_ENCRYPTION_SUITE_ENCLAVE_ENCRYPT_V1'
  const brought = [
    await w.done(w.root, 'export_wallet', { walletId, targetPublicKey }),
    await w.done(w.root, 'export_private_key', { privateKeyId, targetPublicKey }),
    await w.done(w.root, 'init_import_secrets', { encryptionSuite, numSecrets: 2 }),
  ]
  const shown = []
  for (const one of brought) {
    assert.match(JSON.stringify(one.result), 'dataSignature')
    const view = await reader(w).at(one, (await storyOf(w, one.id)).length)
    assert.is(view?.status, 'ACTIVITY_STATUS_COMPLETED')
    shown.push(view?.result)
  }
  assert.equal(shown, [
    { exportWalletResult: { walletId, exportBundle: null } },
    { exportPrivateKeyResult: { privateKeyId, exportBundle: null } },
    { initImportSecretsResult: { enclaveTargetMessages: null } },
  ])
  await w.close()
})

for (const path of ['register_persons', 'introduce_persons'])
  it(`has parts of its result in which its work brought nothing personal: ${path}`, async () => {
    const w = await world({ resources: [...publicApi, personResource] })
    const done = await w.done(w.root, path, { persons: [ada], key: 'root key' })
    const view = await reader(w).at(done, (await storyOf(w, done.id)).length)
    assert.equal(view?.result, done.result)
    assert.match(JSON.stringify(view?.result), encodeBase64(encodeUtf8('root key 1')))
    await w.close()
  })

it.run()
