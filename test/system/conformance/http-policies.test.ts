import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { NOBODY, onStage, refusal, violationOf, type Stage } from './stage.ts'

const it = suite('@turnkey/http: policies')

const tagging = {
  policyName: 'Tagging',
  effect: 'EFFECT_ALLOW' as const,
  condition: "activity.type == 'ACTIVITY_TYPE_CREATE_USER_TAG'",
  consensus: 'approvers.count() >= 1',
  notes: 'who may tag',
}
const createPolicy = async ({ http, root, asks }: Stage, policy: typeof tagging): Promise<string> => {
  const { activity } = await http(root).createPolicy(asks('ACTIVITY_TYPE_CREATE_POLICY_V3', policy))
  assert.equal(activity.intent.createPolicyIntentV3, policy)
  return activity.result.createPolicyResult?.policyId ?? ''
}

it('creates a policy, which is then shown', () =>
  onStage(async (stage) => {
    const { http, root, organizationId } = stage
    const policyId = await createPolicy(stage, tagging)
    const { policy } = await http(root).getPolicy({ organizationId, policyId })
    const { createdAt, updatedAt } = policy
    assert.equal(policy, { policyId, ...tagging, createdAt, updatedAt })
    assert.equal((await http(root).getPolicies({ organizationId })).policies, [policy])
  }))

it('leaves texts empty that a policy does not set', () =>
  onStage(async ({ http, root, asks, organizationId }) => {
    const policy = { policyName: 'Everything', effect: 'EFFECT_DENY', notes: '' } as const
    await http(root).createPolicy(asks('ACTIVITY_TYPE_CREATE_POLICY_V3', policy))
    const [shown] = (await http(root).getPolicies({ organizationId })).policies
    assert.equal([shown?.condition, shown?.consensus, shown?.notes], ['', '', ''])
  }))

it('refuses policies that could not be evaluated, or have the name of another', () =>
  onStage(async (stage) => {
    const { http, root, asks, organizationId } = stage
    await createPolicy(stage, tagging)
    const create = (more: { readonly [member: string]: string }) =>
      refusal(http(root).createPolicy(asks('ACTIVITY_TYPE_CREATE_POLICY_V3', { ...tagging, ...more })))
    assert.equal(await create({}), {
      code: 3,
      error: 'REQUEST_INVALID',
      message: 'policy label must be unique',
      details: violationOf('policyName', 'This field must be unique.'),
    })
    assert.match((await create({ policyName: 'a', condition: 'activity.' })).message, /^invalid policy condition/)
    assert.match((await create({ policyName: 'a', consensus: 'approvers' })).message, /^invalid policy consensus/)
    assert.is((await create({ policyName: 'a', effect: 'EFFECT_MAYBE' })).error, 'REQUEST_INVALID')
    assert.match((await create({ policyName: 'a', time: "now() < '2030'" })).message, /^invalid policy time: /)
    assert.is((await refusal(http(root).getPolicy({ organizationId, policyId: NOBODY }))).code, 5)
    assert.is((await refusal(http(root).getPolicies({ organizationId: 'acme' }))).error, 'INVALID_ORGANIZATION_ID')
  }))

for (const type of ['ACTIVITY_TYPE_CREATE_POLICY', 'ACTIVITY_TYPE_CREATE_POLICY_V2'])
  it(`names what it lacks to read ${type}`, () =>
    onStage(async ({ post, root, bytes }) => {
      const { status, body } = await post(root, 'submit/create_policy', bytes(type, { policyName: 'a', selectors: [] }))
      assert.equal([status, body.message], [400, 'selector policies are not supported'])
    }))

it('creates and deletes several policies, all or none', () =>
  onStage(async ({ http, root, asks, organizationId }) => {
    const client = http(root)
    const create = (...names: string[]) => {
      const policies = names.map((policyName) => ({ ...tagging, policyName }))
      return client.createPolicies(asks('ACTIVITY_TYPE_CREATE_POLICIES', { policies }))
    }
    const remove = (policyIds: string[]) => client.deletePolicies(asks('ACTIVITY_TYPE_DELETE_POLICIES', { policyIds }))
    const names = async () =>
      (await client.getPolicies({ organizationId })).policies.map(({ policyName }) => policyName)
    const policyIds = (await create('a', 'b')).activity.result.createPoliciesResult?.policyIds ?? []
    assert.is(policyIds.length, 2)
    const twice = await refusal(create('c', 'a'))
    assert.equal(twice.details, violationOf('policies.1.policyName', 'This field must be unique.'))
    assert.equal(await names(), ['a', 'b'])
    assert.is((await refusal(remove([...policyIds, NOBODY]))).code, 5)
    assert.equal(await names(), ['a', 'b'])
    assert.equal((await remove(policyIds)).activity.result.deletePoliciesResult, { policyIds })
    assert.equal(await names(), [])
  }))

it('updates those members of a policy that the request has', () =>
  onStage(async (stage) => {
    const { http, root, asks, organizationId } = stage
    const policyId = await createPolicy(stage, tagging)
    const update = { policyId, policyName: 'Nobody', policyEffect: 'EFFECT_DENY' as const, policyConsensus: '' }
    const { activity } = await http(root).updatePolicy(asks('ACTIVITY_TYPE_UPDATE_POLICY_V2', update))
    assert.equal(activity.intent.updatePolicyIntentV2, update)
    assert.equal(activity.result.updatePolicyResultV2, { policyId })
    const { policy } = await http(root).getPolicy({ organizationId, policyId })
    assert.equal([policy.policyName, policy.effect, policy.consensus], ['Nobody', 'EFFECT_DENY', ''])
    assert.equal([policy.condition, policy.notes], [tagging.condition, tagging.notes])
    const broken = { policyId, policyCondition: 'true &&' }
    const refused = await refusal(http(root).updatePolicy(asks('ACTIVITY_TYPE_UPDATE_POLICY_V2', broken)))
    assert.equal([refused.code, refused.error], [3, 'REQUEST_INVALID'])
    const unknown = await refusal(http(root).updatePolicy(asks('ACTIVITY_TYPE_UPDATE_POLICY_V2', { policyId: NOBODY })))
    assert.is(unknown.message, `unable to find policy ${NOBODY} in organization ${organizationId}`)
  }))

it('reads ACTIVITY_TYPE_UPDATE_POLICY and names its result as that version does', () =>
  onStage(async (stage) => {
    const { root, post, bytes } = stage
    const policyId = await createPolicy(stage, tagging)
    const old = (parameters: { readonly [member: string]: string }) =>
      post(root, 'submit/update_policy', bytes('ACTIVITY_TYPE_UPDATE_POLICY', parameters))
    const { status, body } = await old({ policyId, policyNotes: 'mended' })
    assert.is(status, 200)
    assert.equal(body.activity.intent, { updatePolicyIntent: { policyId, policyNotes: 'mended' } })
    assert.equal(body.activity.result.updatePolicyResult, { policyId })
    assert.is((await old({ policyId: NOBODY })).status, 404)
  }))

it('deletes a policy once', () =>
  onStage(async (stage) => {
    const { http, root, asks, organizationId } = stage
    const policyId = await createPolicy(stage, tagging)
    const remove = () => http(root).deletePolicy(asks('ACTIVITY_TYPE_DELETE_POLICY', { policyId }))
    assert.equal((await remove()).activity.result.deletePolicyResult, { policyId })
    assert.equal(await refusal(remove()), {
      code: 5,
      error: 'REQUEST_INVALID',
      message: `unable to find policy ${policyId} in organization ${organizationId}`,
      details: [],
    })
  }))

it('shows what each policy said at each vote', () =>
  onStage(async (stage) => {
    const { http, root, asks, enrol, organizationId } = stage
    const ada = await enrol('ada')
    const allowing = await createPolicy(stage, tagging)
    const parked = await createPolicy(stage, {
      ...tagging,
      policyName: 'Deleting',
      condition: "activity.action == 'DELETE'",
      consensus: 'approvers.count() >= 2',
    })
    const body = asks('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'a', userIds: [] })
    const { activity } = await http(ada).createUserTag(body)
    const { policyEvaluations } = await http(root).getPolicyEvaluations({ organizationId, activityId: activity.id })
    const [first] = policyEvaluations
    assert.is(policyEvaluations.length, 1)
    assert.equal([first?.activityId, first?.voteId], [activity.id, activity.votes[0]?.id])
    assert.equal(first?.policyEvaluations, [
      { policyId: allowing, outcome: 'OUTCOME_ALLOW' },
      { policyId: parked, outcome: 'OUTCOME_DENY_IMPLICIT' },
    ])
    const unknown = await refusal(http(root).getPolicyEvaluations({ organizationId, activityId: NOBODY }))
    assert.is(unknown.message, 'activity not found')
  }))

it.run()
