import { history } from '../../../core/organization/history.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { E } from '../../../core/prelude.ts'
import { codeOf, right, stamped, world, type World } from '../world/world.ts'
import { until } from '../world/under-way.ts'
import { KEY_AND_PASSKEY, keyringOf, requires } from './factors.ts'
import { secondProcess } from './second-process.ts'

const it = suite('activities that wait for approvals')

const tag = (userTagName: string) => ['create_user_tag', { userTagName, userIds: [] }] as const

const waitingIn = async ({ engine, organizationId }: World): Promise<number> =>
  history.of(right(await engine.replayOrganization(organizationId)()).state).waiting

it('are as many as an organization may have, and no more', async () => {
  const made = await world({ waitingActivitiesMax: 3, snapshotEvery: 1 })
  const { approve, done, enrol, organizationId, reject, root, storage, submit } = made
  const ada = await enrol('ada')
  await done(root, 'update_root_quorum', { threshold: 2, userIds: [root.userId, ada.userId] })
  const [first, second] = [await done(root, ...tag('1')), await done(root, ...tag('2'))]
  await done(root, ...tag('3'))
  const refused = await submit(root, ...tag('4'))
  assert.is(codeOf(refused), 'RESOURCE_EXHAUSTED')
  assert.match(E.isLeft(refused) ? refused.left.message : '', 'over its allotted quota')
  assert.is(await waitingIn(made), 3)
  right(await approve(ada, first))
  right(await submit(root, ...tag('4')))
  right(await reject(ada, second))
  assert.is(await waitingIn(made), 2)
  await until(async () => right(await storage.readModels.snapshot(organizationId)()) !== undefined)
  const engine = await secondProcess(made, { waitingActivitiesMax: 3 })
  const send = async (name: string): Promise<string> =>
    codeOf(await engine.submit(tag(name)[0], stamped(root, made.body(...tag(name))))())
  assert.equal([await send('5'), await send('6')], ['no failure', 'RESOURCE_EXHAUSTED'])
  await made.close()
})

it('are those that wait for a second factor, too', async () => {
  const made = await world({ waitingActivitiesMax: 1 })
  const { close, done, root, submit } = made
  const { passkey } = await keyringOf(made, root)
  await requires(made, root, KEY_AND_PASSKEY)
  const open = await done(root, ...tag('1'))
  assert.is(await waitingIn(made), 1)
  assert.is(codeOf(await submit(root, ...tag('2'))), 'RESOURCE_EXHAUSTED')
  right(await made.approve(passkey, open))
  assert.is(await waitingIn(made), 0)
  await close()
})

it('do not keep anybody from what needs no approval', async () => {
  const { close, done, enrol, root, submit } = await world({ waitingActivitiesMax: 1 })
  const ada = await enrol('ada')
  const policy = { policyName: 'two', effect: 'EFFECT_ALLOW', condition: "activity.resource == 'USER'", notes: '' }
  await done(root, 'create_policy', { ...policy, consensus: 'approvers.count() >= 2' })
  right(await submit(ada, ...tag('waits')))
  assert.is(codeOf(await submit(ada, ...tag('would wait'))), 'RESOURCE_EXHAUSTED')
  right(await submit(root, ...tag('does not wait')))
  await close()
})

it.run()
