import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { codeOf, right } from '../../world/world.ts'
import { childOf, family } from './children.ts'

const it = suite('delete sub organization')

const PATH = 'delete_sub_organization'

it('is asked by a root user of the organization, and by nobody else, whatever a policy says', async () => {
  const w = await family()
  const child = await childOf(w)
  const bob = await child.enrol('bob')
  const policy = { policyName: 'one', effect: 'EFFECT_ALLOW', consensus: 'true', notes: '' }
  await child.done(child.root, 'create_policy', { ...policy, condition: "activity.resource == 'ORGANIZATION'" })
  assert.is(codeOf(await child.submit(bob, PATH, {})), 'REQUEST_NOT_AUTHORIZED')
  assert.is(codeOf(await child.submit(w.root, PATH, {})), 'ORGANIZATION_MISMATCH')
  assert.is(codeOf(await w.submit(w.root, PATH, {})), 'INVALID_ACTIVITY_CALLER')
  const done = await child.done(child.root, PATH, { deleteWithoutExport: false })
  assert.equal(done.result, { deleteSubOrganizationResult: { subOrganizationUuid: child.organizationId } })
  await w.close()
})

it('waits for the quorum, and what waits with it is found no more', async () => {
  const w = await family()
  const child = await childOf(w)
  const bob = await child.enrol('bob')
  await child.done(child.root, 'update_root_quorum', { threshold: 2, userIds: [child.root.userId, bob.userId] })
  const other = right(await child.submit(child.root, 'create_user_tag', { userTagName: 'a', userIds: [] }))
  const waiting = right(await child.submit(child.root, PATH, {}))
  assert.is(waiting.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  assert.is(right(await child.approve(bob, waiting)).status, 'ACTIVITY_STATUS_COMPLETED')
  assert.is(codeOf(await child.approve(bob, other)), 'ORGANIZATION_NOT_FOUND')
  assert.is(codeOf(await child.ask(child.root, 'get_activity', { activityId: waiting.id })), 'ORGANIZATION_NOT_FOUND')
  await w.close()
})

it('is answered once more to its requester alone', async () => {
  const w = await family()
  const child = await childOf(w)
  const bob = await child.enrol('bob')
  const [earlier, body] = [child.body('create_user_tag', { userTagName: 'a', userIds: [] }), child.body(PATH, {})]
  right(await child.send(child.root, 'create_user_tag', earlier))
  const first = right(await child.send(child.root, PATH, body))
  assert.equal(right(await child.send(child.root, PATH, body)).result, first.result)
  for (const answer of [
    await child.send(bob, PATH, body),
    await child.send(w.root, PATH, body),
    await child.send(child.root, 'create_user_tag', earlier),
    await child.approve(child.root, first),
  ])
    assert.is(codeOf(answer), 'ORGANIZATION_NOT_FOUND')
  await w.close()
})

it.run()
