import { policies } from '../../../../core/organization/policies.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createPolicy } from '../../../../core/resources/policy/create-policy.ts'
import { admitting, anyOrganization, fieldsOf, NOW, uuid } from '../execute.ts'
import { E } from '../../../../core/prelude.ts'

const it = suite('create policy')

const rules = { condition: "activity.resource == 'POLICY'", consensus: 'approvers.count() >= 2' }
const anyPolicy = { policyName: 'signing', effect: 'EFFECT_ALLOW', notes: '' }

it('creates a policy', () => {
  const tried = anyOrganization()
  const { result, change } = tried.execute(createPolicy, { ...anyPolicy, ...rules, notes: 'by the board' })
  assert.equal(result, { policyId: uuid(5) })
  const policy = { policyId: uuid(5), policyName: 'signing', effect: 'EFFECT_ALLOW', ...rules, notes: 'by the board' }
  assert.equal(change, policy)
  assert.equal([...policies.of(tried.state).values()], [{ ...policy, time: '', createdAtMs: NOW, updatedAtMs: NOW }])
})

it('keeps absent texts as empty ones', () => {
  const tried = anyOrganization()
  const { echo } = tried.execute(createPolicy, {
    policyName: 'all',
    effect: 'EFFECT_DENY',
    condition: null,
    time: null,
  })
  assert.equal(echo, { policyName: 'all', effect: 'EFFECT_DENY' })
  const policy = policies.of(tried.state).get(uuid(5))
  assert.equal([policy?.condition, policy?.consensus, policy?.notes], ['', '', ''])
})

it('refuses forms with selectors by name', () => {
  for (const type of ['ACTIVITY_TYPE_CREATE_POLICY', 'ACTIVITY_TYPE_CREATE_POLICY_V2']) {
    const failure = anyOrganization().refuse(createPolicy, { ...anyPolicy, selectors: [] }, { type })
    assert.equal(failure, { code: 'UNSUPPORTED', message: 'selector policies are not supported' })
  }
})

it('keeps a time', () => {
  const tried = anyOrganization()
  const time = "CronSpan('0 9 * * 1-5', '8h', 'Europe/Berlin')"
  assert.is((tried.execute(createPolicy, { ...anyPolicy, time }).change as { time?: string }).time, time)
  assert.is(policies.of(tried.state).get(uuid(5))?.time, time)
})

it('admits only times of zones that are known here, whatever an audit knows', () => {
  const { state } = anyOrganization()
  const admitted = (time: string) => {
    const decoded = createPolicy.versions[0]?.decodeIntent({ ...anyPolicy, time })
    if (decoded?._tag !== 'Right') throw new Error('not read')
    return createPolicy.admit(decoded.right.intent, admitting(state))
  }
  const inZone = (zone: string) =>
    `time.now != Timestamp('2026-01-01T00:00:00Z') && CronSpan('* * * * *', '1m', '${zone}')`
  for (const zone of ['UTC', 'europe/berlin', 'America/Argentina/Buenos_Aires'])
    assert.is(admitted(inZone(zone))._tag, 'Right', zone)
  for (const zone of ['Europe/Atlantis', 'PST']) {
    const refused = admitted(inZone(zone))
    if (E.isRight(refused)) throw new Error(`${zone} is admitted`)
    const failure = refused.left
    assert.is(failure.code, 'REQUEST_INVALID')
    assert.match(failure.message, /^invalid policy time: line 1, column \d+: expected the name of an IANA time zone/)
    assert.not.match(failure.message, zone)
  }
  anyOrganization().execute(createPolicy, { ...anyPolicy, time: inZone('Europe/Atlantis') })
})

it('refuses a name that a policy has', () => {
  const tried = anyOrganization()
  tried.execute(createPolicy, anyPolicy)
  const failure = tried.refuse(createPolicy, anyPolicy)
  assert.is(failure.code, 'REQUEST_INVALID')
  assert.is(failure.message, 'policy label must be unique')
  assert.equal(fieldsOf(failure), ['policyName'])
})

it('refuses expressions that cannot be evaluated', () => {
  const condition = anyOrganization().refuse(createPolicy, { ...anyPolicy, condition: 'activity.resource ==' })
  assert.is(condition.code, 'REQUEST_INVALID')
  assert.match(condition.message, 'invalid policy condition')
  const consensus = anyOrganization().refuse(createPolicy, { ...anyPolicy, consensus: 'approvers.all(' })
  assert.match(consensus.message, 'invalid policy consensus')
})

it('refuses more policies than the organization may have', () => {
  const failure = anyOrganization().refuse(createPolicy, anyPolicy, { limits: { policies: 0 } })
  assert.is(failure.code, 'RESOURCE_EXHAUSTED')
  assert.match(failure.message, 'over its allotted quota')
})

it('refuses an intent without its fields, or with an effect that there is not', () => {
  assert.equal(fieldsOf(anyOrganization().refuse(createPolicy, {})), ['policyName', 'effect'])
  assert.equal(fieldsOf(anyOrganization().refuse(createPolicy, { ...anyPolicy, effect: 'ALLOW' })), ['effect'])
})

it.run()
