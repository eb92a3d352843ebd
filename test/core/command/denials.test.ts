import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { E } from '../../../core/prelude.ts'
import { audited, exported } from '../audit/logs.ts'
import { codeOf, right, stamped, world } from '../world/world.ts'
import { eventsOf } from './history.ts'
import { secondProcess } from './second-process.ts'

const it = suite('denials')

const tag = ['create_user_tag', { userTagName: 'ops', userIds: [] }] as const

it('spoil a body for nobody else: who saw it on its way, and may not do it, cannot take it from who may', async () => {
  const made = await world()
  const { body, enrol, root, send, storage } = made
  const mallory = await enrol('mallory')
  const bytes = body(...tag)
  assert.is(codeOf(await send(mallory, tag[0], bytes)), 'REQUEST_NOT_AUTHORIZED')
  const activity = right(await send(root, tag[0], bytes))
  assert.is(activity.status, 'ACTIVITY_STATUS_COMPLETED')
  assert.is(right(await send(root, tag[0], bytes)).id, activity.id)
  assert.is(codeOf(await send(mallory, tag[0], bytes)), 'REQUEST_NOT_AUTHORIZED')
  assert.equal((await audited(await exported(storage.store))).findings, [])
  await made.close()
})

it('are stored once for each who was denied, and said again when the same body comes again', async () => {
  const made = await world()
  const { body, enrol, send } = made
  const [mallory, eve] = [await enrol('mallory'), await enrol('eve')]
  const bytes = body(...tag)
  for (const person of [mallory, eve, mallory, eve])
    assert.is(codeOf(await send(person, tag[0], bytes)), 'REQUEST_NOT_AUTHORIZED')
  const denied = (await eventsOf(made)).filter(
    ({ type, data }) => type === 'ActivityCreated' && 'decision' in data && data.decision.verdict.outcome === 'DENIED',
  )
  assert.is(denied.length, 2)
  assert.is(new Set(denied.map(({ activity }) => activity)).size, 2)
  await made.close()
})

it('name the policies that denied, and no others', async () => {
  const made = await world()
  const { done, enrol, root, submit } = made
  const mallory = await enrol('mallory')
  const policy = async (policyName: string, effect: string, condition: string): Promise<string> => {
    const { result } = await done(root, 'create_policy', { policyName, effect, condition, notes: '' })
    return (result.createPolicyResult as { readonly policyId: string }).policyId
  }
  const reason = async (): Promise<unknown> => {
    const denied = await submit(mallory, ...tag)
    const [detail] = E.isLeft(denied) ? (denied.left.details ?? []) : []
    return (detail as { readonly message?: string } | undefined)?.message
  }
  assert.is(await reason(), 'No policies evaluated to outcome: Allow')
  await policy('idle', 'EFFECT_DENY', '1 == 2')
  assert.is(await reason(), 'No policies evaluated to outcome: Allow')
  const first = await policy('first', 'EFFECT_DENY', "activity.action == 'CREATE'")
  await policy('allows', 'EFFECT_ALLOW', '')
  const second = await policy('second', 'EFFECT_DENY', '')
  assert.is(await reason(), `The following policies denied this action: ${first},${second}`)
  await made.close()
})

it('are known after a restart', async () => {
  const made = await world()
  const { body, enrol, root } = made
  const mallory = await enrol('mallory')
  const bytes = body(...tag)
  assert.is(codeOf(await made.send(mallory, tag[0], bytes)), 'REQUEST_NOT_AUTHORIZED')
  const engine = await secondProcess(made)
  const before = (await eventsOf(made)).length
  assert.is(codeOf(await engine.submit(tag[0], stamped(mallory, bytes))()), 'REQUEST_NOT_AUTHORIZED')
  assert.is((await eventsOf(made)).length, before)
  right(await engine.submit(tag[0], stamped(root, bytes))())
  await made.close()
})

it('are listed and shown like every activity', async () => {
  const made = await world()
  const { answer, enrol, submit } = made
  const mallory = await enrol('mallory')
  await submit(mallory, ...tag)
  const { activities } = await answer(mallory, 'list_activities', { filterByStatus: ['ACTIVITY_STATUS_REJECTED'] })
  const [denied] = activities as readonly { readonly id: string; readonly status: string }[]
  const { activity } = await answer(mallory, 'get_activity', { activityId: denied?.id ?? '' })
  assert.equal(activity, denied)
  await made.close()
})

it('are said to the requester where a vote came to them, by the rules of that vote', async () => {
  const w = await world()
  const [ada, grace] = [await w.enrol('ada'), await w.enrol('grace')]
  const policy = { policyName: 'two', effect: 'EFFECT_ALLOW', condition: "activity.resource == 'USER'", notes: '' }
  await w.done(w.root, 'create_policy', { ...policy, consensus: 'approvers.count() >= 2' })
  const body = w.body('create_user_tag', { userTagName: 'ops', userIds: [] })
  const pending = right(await w.send(ada, 'create_user_tag', body))
  await w.done(w.root, 'create_policy', { ...policy, policyName: 'none', effect: 'EFFECT_DENY' })
  right(await w.approve(grace, pending))
  assert.is(codeOf(await w.send(ada, 'create_user_tag', body)), 'REQUEST_NOT_AUTHORIZED')
  await w.close()
})

it('are not taken for the approval of an activity with the same body', async () => {
  const made = await world()
  const { body, enrol, done, root, send } = made
  const [ada, mallory] = [await enrol('ada'), await enrol('mallory')]
  await done(root, 'update_root_quorum', { threshold: 2, userIds: [root.userId, ada.userId] })
  const bytes = body(...tag)
  assert.is(codeOf(await send(mallory, tag[0], bytes)), 'REQUEST_NOT_AUTHORIZED')
  assert.is(right(await send(root, tag[0], bytes)).status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  assert.is(codeOf(await send(mallory, tag[0], bytes)), 'REQUEST_NOT_AUTHORIZED')
  assert.is(right(await send(ada, tag[0], bytes)).status, 'ACTIVITY_STATUS_COMPLETED')
  await made.close()
})

it.run()
