import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { checkPolicies, explainDecision, simulatePolicies } from '../../adapters/policy-tools.ts'
import { checkPolicies as checkWithout } from '../../core/policy-tools/check-policies.ts'
import { simulatePolicies as simulateWithout } from '../../core/policy-tools/simulate-policies.ts'
import { world } from '../core/world/world.ts'

const it = suite('the tools for policies on Node')

const OFFICE_HOURS = "CronSpan('0 9 * * 1-5', '8h', 'Europe/Berlin')"

it('know the time zones of the runtime, which the core alone does not', async () => {
  assert.equal(checkPolicies(OFFICE_HOURS, { clause: 'time' }), [])
  const [mistake] = checkWithout(OFFICE_HOURS, { clause: 'time' })
  assert.match(mistake?.message ?? '', /an IANA time zone/)
  assert.equal([mistake?.place?.line, mistake?.place?.column], [1, 1])
  const [nowhere] = checkPolicies(OFFICE_HOURS.replace('Berlin', 'Nowhere'), { clause: 'time' })
  assert.is(nowhere?.expected, 'the name of an IANA time zone')
})

it('read policies in these zones', async () => {
  const made = await world()
  const { done, root, storage } = made
  const ada = await made.enrol('ada')
  const policy = {
    policyName: 'hours',
    effect: 'EFFECT_ALLOW',
    condition: '',
    time: `!${OFFICE_HOURS}`,
    notes: '',
  } as const
  await done(root, 'create_policy', policy)
  const { id } = await done(ada, 'create_user_tag', { userTagName: 'by night', userIds: [] })
  const { isSame, policies } = await explainDecision(storage.store, id)
  assert.is(isSame, true)
  assert.equal(
    policies.map(({ clauses }) => clauses.map(({ clause, tree }) => [clause, tree?.worth])),
    [[['time', 'true']]],
  )
  const { differences, unknown } = await simulatePolicies(storage.store, [policy])
  assert.equal([differences, unknown], [0, 0])
  const without = await simulateWithout(storage.store, [policy]).then(
    () => 'accepted',
    (error: unknown) => String(error),
  )
  assert.match(without, /policy 1: invalid policy time: .*an IANA time zone/)
  await made.close()
})

it.run()
