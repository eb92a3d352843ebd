import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fingerprintOf } from '../../../core/activity/identity.ts'
import { encodeUtf8 } from '../../../core/bytes.ts'
import { E } from '../../../core/prelude.ts'
import { audited, digest, exported } from '../audit/logs.ts'
import { padded } from '../world/padded.ts'
import { until } from '../world/under-way.ts'
import { codeOf, right, stamped, world } from '../world/world.ts'
import { eventsOf, recordsOf } from './history.ts'
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

const HOUR = 60 * 60 * 1000

it('of one user are stored up to the limit of a day, and the next ones are refused', async () => {
  const made = await world({ denialsPerDayMax: 2, snapshotEvery: 1 })
  const { body, clock, enrol, organizationId, root, send, storage } = made
  const [mallory, eve] = [await enrol('mallory'), await enrol('eve')]
  await made.done(root, 'create_policy', {
    policyName: 'mallory may create policies',
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'POLICY'",
    consensus: `approvers.any(user, user.id == '${mallory.userId}')`,
    notes: '',
  })
  const first = body(...tag)
  assert.is(codeOf(await send(mallory, tag[0], first)), 'REQUEST_NOT_AUTHORIZED')
  assert.is(codeOf(await made.submit(mallory, ...tag)), 'REQUEST_NOT_AUTHORIZED')
  const stored = (await eventsOf(made)).length

  const refused = await made.submit(mallory, ...tag)
  assert.is(codeOf(refused), 'RESOURCE_EXHAUSTED')
  assert.match(E.isLeft(refused) ? refused.left.message : '', 'denied, and nothing was stored')
  assert.is(codeOf(await send(mallory, tag[0], first)), 'REQUEST_NOT_AUTHORIZED', 'a stored denial is said again')
  assert.is((await eventsOf(made)).length, stored)

  await until(async () => right(await storage.readModels.snapshot(organizationId)()) !== undefined)
  const engine = await secondProcess(made, { denialsPerDayMax: 2 })
  assert.is(codeOf(await engine.submit(tag[0], stamped(mallory, body(...tag)))()), 'RESOURCE_EXHAUSTED', 'restarted')
  assert.is(codeOf(await engine.submit(tag[0], stamped(mallory, first))()), 'REQUEST_NOT_AUTHORIZED', 'restarted')

  assert.is(codeOf(await made.submit(eve, ...tag)), 'REQUEST_NOT_AUTHORIZED', 'another user')
  const policy = { policyName: 'allowed', effect: 'EFFECT_DENY', condition: '1 == 2', notes: '' }
  right(await made.submit(mallory, 'create_policy', policy))

  clock.pass(24 * HOUR - 1)
  assert.is(codeOf(await made.submit(mallory, ...tag)), 'RESOURCE_EXHAUSTED', 'the end of the day')
  clock.pass(1)
  for (const code of ['REQUEST_NOT_AUTHORIZED', 'REQUEST_NOT_AUTHORIZED', 'RESOURCE_EXHAUSTED'])
    assert.is(codeOf(await made.submit(mallory, ...tag)), code, 'the next day')
  assert.equal((await audited(await exported(storage.store))).findings, [])
  await made.close()
})

it('have no body above 64 KiB, only its hash and its length, and are shown like activities whose request was erased', async () => {
  const made = await world()
  const { answer, body, enrol, organizationId, send, storage } = made
  const mallory = await enrol('mallory')
  const [kept, long] = [padded(body(...tag), 65_536), padded(body(...tag), 65_537)]
  for (const bytes of [kept, long, long])
    assert.is(codeOf(await send(mallory, tag[0], bytes)), 'REQUEST_NOT_AUTHORIZED')
  const records = (await recordsOf(made)).slice(-2)
  assert.equal(
    records.map(({ parts }) => parts.map(({ name, bytes }) => [name, bytes.length > 65_536])),
    [[['request', true]], []],
  )
  const [, event] = (await eventsOf(made)).slice(-2)
  assert.equal([event?.parts, event?.type === 'ActivityCreated' && event.data.leftOutBytes], [{}, 65_537])
  assert.equal(event?.type === 'ActivityCreated' && event.data.fingerprint, fingerprintOf(digest, long))

  const { activity: shown } = await answer(mallory, 'get_activity', { activityId: event?.activity ?? '' })
  const { intent, votes } = shown as {
    readonly intent: unknown
    readonly votes: readonly { readonly message: string }[]
  }
  assert.equal([intent, votes.map(({ message }) => message)], [{}, ['']])
  const engine = await secondProcess(made)
  assert.is(codeOf(await engine.submit(tag[0], stamped(mallory, long))()), 'REQUEST_NOT_AUTHORIZED')
  const asked = encodeUtf8(JSON.stringify({ organizationId, activityId: event?.activity ?? '' }))
  const again = right(await engine.query('get_activity', stamped(mallory, asked))())
  assert.equal(again['activity'], shown)
  assert.is((await eventsOf(made)).at(-1)?.id, event?.id)
  const report = await audited(await exported(storage.store))
  assert.equal([report.findings, report.counts.leftOut], [[], 1])
  await made.close()
})

it('name nobody whose data a body holds that is left out: no erasure has to look for it', async () => {
  const made = await world()
  const mallory = await made.enrol('mallory')
  const users = [
    {
      userName: 'Ada',
      userEmail: 'ada@example.com',
      apiKeys: [],
      authenticators: [],
      oauthProviders: [],
      userTags: [],
    },
  ]
  const body = made.body('create_users', { users })
  for (const bytes of [body, padded(body, 70_000)])
    assert.is(codeOf(await made.send(mallory, 'create_users', bytes)), 'REQUEST_NOT_AUTHORIZED')
  const named = (await eventsOf(made)).slice(-2).map(({ data }) => 'subjects' in data && data.subjects?.length)
  assert.equal(named, [1, false])
  await made.close()
})

it.run()
