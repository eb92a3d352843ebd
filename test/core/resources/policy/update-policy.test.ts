import { policies } from '../../../../core/organization/policies.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createPolicies } from '../../../../core/resources/policy/create-policies.ts'
import { updatePolicy } from '../../../../core/resources/policy/update-policy.ts'
import { NEW_TEXTS_LENGTH_MAX } from '../../../../core/resources/policy/policy-rules.ts'
import { codeOf, right } from '../../world/world.ts'
import { admitting, anyOrganization, fieldsOf, NOBODY, NOW, ORGANIZATION, uuid } from '../execute.ts'

const it = suite('update policy')

const POLICY = uuid(5)
const withPolicies = () => {
  const tried = anyOrganization()
  const condition = "activity.resource == 'USER'"
  const policies = ['a', 'b'].map((policyName) => ({ policyName, effect: 'EFFECT_ALLOW', condition, notes: 'some' }))
  tried.execute(createPolicies, { policies })
  return tried
}

it('changes what the intent has', () => {
  const tried = withPolicies()
  const parameters = { policyId: POLICY, policyName: 'c', policyEffect: 'EFFECT_DENY', policyConsensus: null }
  const { result, change } = tried.execute(updatePolicy, parameters, { atMs: NOW + 1 })
  assert.equal(result, { policyId: POLICY })
  assert.equal(change, { policyId: POLICY, policyName: 'c', effect: 'EFFECT_DENY' })
  assert.equal(policies.of(tried.state).get(POLICY), {
    policyId: POLICY,
    policyName: 'c',
    effect: 'EFFECT_DENY',
    condition: "activity.resource == 'USER'",
    consensus: '',
    time: '',
    notes: 'some',
    createdAtMs: NOW,
    updatedAtMs: NOW + 1,
  })
})

it('replaces expressions and notes, by empty ones too', () => {
  const tried = withPolicies()
  const parameters = {
    policyId: POLICY,
    policyCondition: '',
    policyConsensus: 'approvers.count() > 1',
    policyNotes: '',
  }
  tried.execute(updatePolicy, parameters)
  const policy = policies.of(tried.state).get(POLICY)
  assert.equal([policy?.condition, policy?.consensus, policy?.notes], ['', 'approvers.count() > 1', ''])
})

it('reads the first version, and names its result as that did', () => {
  const type = 'ACTIVITY_TYPE_UPDATE_POLICY'
  const { echo } = withPolicies().execute(updatePolicy, { policyId: POLICY, policyName: 'c', time: 'now' }, { type })
  assert.equal(echo, { policyId: POLICY, policyName: 'c' })
  const names = updatePolicy.versions.map(({ intentName, resultName }) => [intentName, resultName])
  assert.equal(names, [
    ['updatePolicyIntentV2', 'updatePolicyResultV2'],
    ['updatePolicyIntent', 'updatePolicyResult'],
  ])
})

it('lets a policy keep its name, and refuses that of another', () => {
  withPolicies().execute(updatePolicy, { policyId: POLICY, policyName: 'a' })
  const failure = withPolicies().refuse(updatePolicy, { policyId: POLICY, policyName: 'b' })
  assert.is(failure.message, 'policy label must be unique')
  assert.equal(fieldsOf(failure), ['policyName'])
})

it('sets the time, keeps it, and removes it by an empty text', () => {
  const tried = withPolicies()
  const timeAfter = (more: object): string | undefined => {
    tried.execute(updatePolicy, { policyId: POLICY, ...more })
    return policies.of(tried.state).get(POLICY)?.time
  }
  const time = "time.now < Timestamp('2026-01-01T00:00:00Z')"
  assert.is(timeAfter({ time }), time)
  assert.is(timeAfter({ policyNotes: 'other' }), time)
  assert.is(timeAfter({ time: null }), time)
  assert.is(timeAfter({ time: '' }), '')
})

it('refuses expressions that cannot be evaluated', () => {
  const refuse = (more: object) => withPolicies().refuse(updatePolicy, { policyId: POLICY, ...more }).message
  assert.match(refuse({ policyCondition: '(' }), 'invalid policy condition')
  assert.match(refuse({ policyConsensus: '(' }), 'invalid policy consensus')
  assert.match(refuse({ time: 'now' }), 'invalid policy time: ')
})

it('counts the texts that the policy would have: those of the intent, and the others as they are', () => {
  const { state } = withPolicies()
  const existing = policies.in(state).get(POLICY)
  if (existing !== undefined) existing.condition = 'x'.repeat(NEW_TEXTS_LENGTH_MAX - 10)
  const codeOfUpdate = (more: object): string => {
    const [version] = updatePolicy.versions
    if (version === undefined) throw new Error('expected an operation with a version')
    const { intent } = right(version.decodeIntent({ policyId: POLICY, ...more }))
    return codeOf(updatePolicy.admit(intent, admitting(state)))
  }
  assert.is(codeOfUpdate({ policyConsensus: 'y'.repeat(10) }), 'no failure')
  assert.is(codeOfUpdate({ policyConsensus: 'y'.repeat(11) }), 'RESOURCE_EXHAUSTED')
  assert.is(codeOfUpdate({ policyCondition: '', policyConsensus: 'y'.repeat(11) }), 'no failure')
  assert.is(codeOfUpdate({ policyCondition: 'x'.repeat(NEW_TEXTS_LENGTH_MAX) }), 'no failure')
  assert.is(codeOfUpdate({ policyCondition: 'x'.repeat(NEW_TEXTS_LENGTH_MAX + 1) }), 'RESOURCE_EXHAUSTED')
  assert.is(codeOfUpdate({ time: `${' '.repeat(6)}true` }), 'no failure')
  assert.is(codeOfUpdate({ time: `${' '.repeat(7)}true` }), 'RESOURCE_EXHAUSTED')
})

it('refuses a policy that is not there', () =>
  assert.equal(withPolicies().refuse(updatePolicy, { policyId: NOBODY }), {
    code: 'RESOURCE_NOT_FOUND',
    message: `unable to find policy ${NOBODY} in organization ${ORGANIZATION}`,
  }))

it('refuses what breaks the rules of a field', () => {
  const failure = withPolicies().refuse(updatePolicy, { policyName: ' ', policyEffect: 'DENY', policyNotes: 1 })
  assert.equal(fieldsOf(failure), ['policyId', 'policyName', 'policyEffect', 'policyNotes'])
})

it.run()
