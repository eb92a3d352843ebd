import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { testClock } from '../../core/world/world.ts'
import { onStage, refusal, type Stage, type StageOptions } from './stage.ts'

const it = suite('@turnkey/http: policies with times')

const OFFICE = "CronSpan('0 9 * * 1-5', '8h', 'Europe/Berlin')"
const tagging = {
  policyName: 'Tagging in office hours',
  effect: 'EFFECT_ALLOW' as const,
  condition: "activity.type == 'ACTIVITY_TYPE_CREATE_USER_TAG'",
  consensus: 'approvers.count() >= 1',
  notes: '',
  time: OFFICE,
}

/** A stage whose clock stands at this time of Monday, 5 January 2026, in UTC: clocks in Berlin show an hour more. */
const on = (time: string): StageOptions => ({ testClock: testClock(Date.parse(`2026-01-05T${time}Z`)) })

const createPolicy = async ({ http, root, asks }: Stage, policy: typeof tagging): Promise<string> => {
  const { activity } = await http(root).createPolicy(asks('ACTIVITY_TYPE_CREATE_POLICY_V3', policy))
  assert.equal(activity.intent.createPolicyIntentV3, policy)
  return activity.result.createPolicyResult?.policyId ?? ''
}
const tag = async ({ http, asks }: Stage, person: Parameters<Stage['http']>[0], userTagName: string) =>
  (await http(person).createUserTag(asks('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName, userIds: [] }))).activity

it('creates, shows, updates and deletes a policy with all clauses', () =>
  onStage(async (stage) => {
    const { http, root, asks, organizationId } = stage
    const client = http(root)
    const policyId = await createPolicy(stage, tagging)
    const shown = async () => (await client.getPolicy({ organizationId, policyId })).policy
    assert.is((await shown()).time, OFFICE)
    assert.equal((await client.getPolicies({ organizationId })).policies, [await shown()])
    const update = async (time?: string) => {
      const parameters = { policyId, policyNotes: 'changed', ...(time === undefined ? {} : { time }) }
      const { activity } = await client.updatePolicy(asks('ACTIVITY_TYPE_UPDATE_POLICY_V2', parameters))
      assert.equal(activity.intent.updatePolicyIntentV2, parameters)
    }
    await update()
    assert.is((await shown()).time, OFFICE)
    await update("time.now < Timestamp('2030-01-01T00:00:00Z')")
    assert.is((await shown()).time, "time.now < Timestamp('2030-01-01T00:00:00Z')")
    await update('')
    assert.equal(Object.keys(await shown()).includes('time'), false)
    await client.deletePolicy(asks('ACTIVITY_TYPE_DELETE_POLICY', { policyId }))
    assert.equal((await client.getPolicies({ organizationId })).policies, [])
    const policies = [tagging, { ...tagging, policyName: 'always', time: '' }]
    const { activity } = await client.createPolicies(asks('ACTIVITY_TYPE_CREATE_POLICIES', { policies }))
    assert.is(activity.result.createPoliciesResult?.policyIds.length, 2)
    const times = (await client.getPolicies({ organizationId })).policies.map(({ time }) => time)
    assert.equal(times, [OFFICE, undefined])
  }, on('12:00:00')))

for (const [what, time] of [
  ['what is no expression', 'CronSpan('],
  ['a keyword of another clause', "approvers.any(u, u.id == 'x')"],
  ['what is not true or false', 'time.now'],
  ['a cron expression with steps', "CronSpan('*/5 * * * *', '1m', 'UTC')"],
  ['a day 7 of the week', "CronSpan('0 0 * * 7', '1m', 'UTC')"],
  ['a duration of more than seven days', "CronSpan('0 0 * * *', '8d', 'UTC')"],
  ['a zone that does not exist', "CronSpan('0 0 * * *', '1d', 'Mars/Olympus')"],
  ['an offset as a zone', "CronSpan('0 0 * * *', '1d', '+01:00')"],
  ['a timestamp that is not in UTC', "time.now < Timestamp('2030-01-01T00:00:00+01:00')"],
] as const)
  it(`refuses ${what}, and does not repeat it`, () =>
    onStage(async (stage) => {
      const { http, root, asks, organizationId } = stage
      const creating = asks('ACTIVITY_TYPE_CREATE_POLICY_V3', { ...tagging, time })
      const refused = await refusal(http(root).createPolicy(creating))
      assert.equal([refused.code, refused.error], [3, 'REQUEST_INVALID'])
      assert.match(refused.message, /^invalid policy time: .*line 1, column \d+/)
      for (const argument of time.match(/'[^']*'/g) ?? []) assert.not.match(refused.message, argument)
      const policyId = await createPolicy(stage, tagging)
      const update = { policyId, time }
      const again = await refusal(http(root).updatePolicy(asks('ACTIVITY_TYPE_UPDATE_POLICY_V2', update)))
      assert.is(again.message, refused.message)
      assert.is((await http(root).getPolicy({ organizationId, policyId })).policy.time, OFFICE)
    }, on('12:00:00')))

it('denies before nine, allows from nine to five, and denies from five on, on weekdays', () =>
  onStage(async (stage) => {
    const { clock, enrol } = stage
    const ada = await enrol('ada')
    const policyId = await createPolicy(stage, tagging)
    const denied = async (userTagName: string): Promise<void> => {
      const refused = await refusal(tag(stage, ada, userTagName))
      assert.is(refused.code, 7)
      const [found] = refused.details
      assert.equal(found?.['policyEvaluations'], [{ policyId, outcome: 'OUTCOME_TIME_INACTIVE' }])
    }
    await denied('too early')
    clock.pass(1_000)
    assert.is((await tag(stage, ada, 'at nine')).status, 'ACTIVITY_STATUS_COMPLETED')
    clock.pass(8 * 3_600_000 - 1_000)
    assert.is((await tag(stage, ada, 'just before five')).status, 'ACTIVITY_STATUS_COMPLETED')
    clock.pass(1_000)
    await denied('at five')
    clock.set(Date.parse('2026-01-10T12:00:00Z')) // a Saturday
    await denied('on Saturday')
  }, on('07:59:59')))

it('decides an activity that waits over the edge of a span by the time of its last vote', () =>
  onStage(async (stage) => {
    const { http, asks, clock, enrol, organizationId } = stage
    const [ada, grace, joan] = [await enrol('ada'), await enrol('grace'), await enrol('joan')]
    const policyId = await createPolicy(stage, { ...tagging, consensus: 'approvers.count() >= 3' })
    const parked = await tag(stage, ada, 'waits')
    assert.is(parked.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
    const { fingerprint, id: activityId } = parked
    const approve = async (person: typeof ada) =>
      (await http(person).approveActivity(asks('ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint }))).activity
    const canApprove = async (person: typeof ada) =>
      (await http(person).getActivity({ organizationId, activityId })).activity.canApprove
    assert.is((await approve(grace)).status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
    assert.is(await canApprove(joan), true)
    clock.pass(60_000) // it is five
    assert.is(await canApprove(joan), false)
    assert.is((await refusal(approve(joan))).error, 'REQUEST_NOT_AUTHORIZED')
    clock.set(Date.parse('2026-01-06T07:59:59Z'))
    assert.is(await canApprove(joan), false)
    clock.pass(1_000) // nine on Tuesday
    assert.is(await canApprove(joan), true)
    assert.is((await approve(joan)).status, 'ACTIVITY_STATUS_COMPLETED')
    const { policyEvaluations } = await http(ada).getPolicyEvaluations({ organizationId, activityId })
    assert.equal(
      policyEvaluations.map((one) => one.policyEvaluations),
      ['OUTCOME_REQUIRES_CONSENSUS', 'OUTCOME_REQUIRES_CONSENSUS', 'OUTCOME_ALLOW'].map((outcome) => [
        { policyId, outcome },
      ]),
    )
  }, on('15:59:00')))

it('denies by a denial that begins while an activity waits', () =>
  onStage(async (stage) => {
    const { http, asks, clock, enrol } = stage
    const [ada, grace] = [await enrol('ada'), await enrol('grace')]
    await createPolicy(stage, { ...tagging, consensus: 'approvers.count() >= 2', time: '' })
    const night = { ...tagging, policyName: 'not at night', time: `!${OFFICE}` }
    await http(stage.root).createPolicy(
      asks('ACTIVITY_TYPE_CREATE_POLICY_V3', { ...night, effect: 'EFFECT_DENY' as const }),
    )
    const { fingerprint, status } = await tag(stage, ada, 'waits')
    assert.is(status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
    clock.pass(60_000)
    const { activity } = await http(grace).approveActivity(asks('ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint }))
    assert.is(activity.status, 'ACTIVITY_STATUS_REJECTED')
  }, on('15:59:00')))

it('tells which policies are active at the time of the question', () =>
  onStage(async (stage) => {
    const { http, root, clock, organizationId } = stage
    const timed = await createPolicy(stage, tagging)
    const untimed = await createPolicy(stage, { ...tagging, policyName: 'always', time: '' })
    const ask = () => http(root).getActivePolicies({ organizationId })
    const always = { organizationId, policyId: untimed, active: true }
    const office = { organizationId, policyId: timed, timeExpr: OFFICE }
    const evaluatedAtMs = Date.parse('2026-01-05T15:59:59Z')
    assert.equal(await ask(), {
      statuses: [{ ...office, active: true }, always],
      evaluatedAtMs: String(evaluatedAtMs),
    })
    clock.pass(1_000)
    assert.equal(await ask(), {
      statuses: [{ ...office, active: false }, always],
      evaluatedAtMs: String(evaluatedAtMs + 1_000),
    })
  }, on('15:59:59')))

it.run()
