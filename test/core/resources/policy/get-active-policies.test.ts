import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { policies } from '../../../../core/organization/policies.ts'
import { noTimeZones } from '../../../../core/ports/no-time-zones.ts'
import { createPolicies } from '../../../../core/resources/policy/create-policies.ts'
import { getActivePolicies } from '../../../../core/resources/policy/get-active-policies.ts'
import { getPolicy } from '../../../../core/resources/policy/get-policy.ts'
import { anyOrganization, NOW, ORGANIZATION, uuid } from '../execute.ts'
import { answer } from '../ask.ts'

const it = suite('get active policies')

const ever = "time.now >= Timestamp('1970-01-01T00:00:00Z')"
const berlin = "CronSpan('* * * * *', '1m', 'Europe/Berlin')"

const withTimes = (...times: readonly string[]) => {
  const tried = anyOrganization()
  const named = times.map((time, n) => ({ policyName: `policy ${n}`, effect: 'EFFECT_DENY', notes: '', time }))
  tried.execute(createPolicies, { policies: named })
  return tried.state
}
const status = (n: number, more: object) => ({ organizationId: ORGANIZATION, policyId: uuid(5 + n), ...more })

it('tells of each policy whether it is active, and with which time', async () =>
  assert.equal(await answer(getActivePolicies, withTimes('', ever, `!(${ever})`, berlin)), {
    statuses: [
      status(0, { active: true }),
      status(1, { active: true, timeExpr: ever }),
      status(2, { active: false, timeExpr: `!(${ever})` }),
      status(3, { active: true, timeExpr: berlin }),
    ],
    evaluatedAtMs: String(NOW),
  }))

it('says why a time has no value here', async () => {
  const organization = withTimes(berlin, ever)
  const costly = Array.from({ length: 101 }, () => berlin).join(' && ')
  const old = policies.in(organization).get(uuid(6))
  if (old !== undefined) old.time = 'soon'
  const errorsOf = async (...asked: Parameters<typeof answer>): Promise<readonly (readonly [unknown, unknown])[]> => {
    const { statuses } = await answer(...asked)
    return (statuses as readonly { active: boolean; error?: string }[]).map(({ active, error }) => [active, error]) // as it is defined
  }
  const [missing, unreadable] = await errorsOf(getActivePolicies, organization, {}, { timeZones: noTimeZones })
  assert.equal(missing, [false, 'expected a time zone that is known here'])
  assert.match(String(unreadable?.[1]), 'invalid policy time: ')
  const [exhausted] = await errorsOf(getActivePolicies, withTimes(costly))
  assert.equal(exhausted, [false, 'expected an evaluation of at most 100000 steps'])
})

it('takes bounded steps for all policies together', async () => {
  const costly = Array.from({ length: 90 }, () => berlin).join(' && ')
  const { statuses } = await answer(getActivePolicies, withTimes(...Array.from({ length: 30 }, () => costly)))
  const active = (statuses as readonly { active: boolean }[]).map(({ active }) => active) // as it is defined
  assert.is(active[0], true)
  assert.is(active.at(-1), false)
})

it('shows the time of a policy where it has one', async () => {
  const organization = withTimes(ever, '')
  const shown = async (n: number) => (await answer(getPolicy, organization, { policyId: uuid(5 + n) }))['policy']
  assert.is(((await shown(0)) as { time?: string }).time, ever)
  assert.is('time' in ((await shown(1)) as object), false)
})

it.run()
