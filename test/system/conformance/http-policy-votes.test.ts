import type { TActivity } from '@turnkey/http'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import type { Person } from '../../core/world/world.ts'
import { onStage, refusal, withKey, type Stage } from './stage.ts'

const it = suite('@turnkey/http: approvals that a policy asks for')

type Cast = {
  readonly proposer: Person
  readonly approvers: readonly [Person, Person, Person]
  readonly policyId: string
}

/** Whoever proposes a tag needs two of three approvers. */
const cast = async ({ http, root, asks, enrol, done }: Stage): Promise<Cast> => {
  const tagged = await done(root, 'create_user_tag', { userTagName: 'approver', userIds: [] })
  const { userTagId } = tagged.result['createUserTagResult'] as { readonly userTagId: string } // as it is defined
  const policy = {
    policyName: 'two of three',
    effect: 'EFFECT_ALLOW' as const,
    condition: "activity.resource == 'USER' && activity.action == 'CREATE'",
    consensus: `approvers.filter(user, user.tags.contains('${userTagId}')).count() >= 2`,
    notes: '',
  }
  const { activity } = await http(root).createPolicy(asks('ACTIVITY_TYPE_CREATE_POLICY_V3', policy))
  const enrolled = (name: string) => enrol(name, [userTagId])
  return {
    proposer: await enrol('ada'),
    approvers: [await enrolled('grace'), await enrolled('edsger'), await enrolled('barbara')],
    policyId: activity.result.createPolicyResult?.policyId ?? '',
  }
}
const propose = async ({ http, asks }: Stage, person: Person): Promise<TActivity> =>
  (await http(person).createUserTag(asks('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'a', userIds: [] }))).activity
const approve = async ({ http, asks }: Stage, person: Person, { fingerprint }: TActivity) =>
  (await http(person).approveActivity(asks('ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint }))).activity

it('waits for two of three, and says what the policy thought each time', () =>
  onStage(async (stage) => {
    const { http, organizationId } = stage
    const { proposer, approvers, policyId } = await cast(stage)
    const parked = await propose(stage, proposer)
    const canApprove = async (person: Person) =>
      (await http(person).getActivity({ organizationId, activityId: parked.id })).activity.canApprove
    assert.equal(await Promise.all(approvers.map(canApprove)), [true, true, true])
    assert.is((await approve(stage, approvers[0], parked)).status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
    assert.equal(await Promise.all(approvers.map(canApprove)), [false, true, true])
    const completed = await approve(stage, approvers[2], parked)
    assert.is(completed.status, 'ACTIVITY_STATUS_COMPLETED')
    assert.ok(completed.result.createUserTagResult?.userTagId)
    assert.is((await approve(stage, approvers[1], parked)).votes.length, 3)
    const body = { organizationId, activityId: parked.id }
    const { policyEvaluations } = await http(proposer).getPolicyEvaluations(body)
    assert.equal(
      policyEvaluations.map(({ voteId, policyEvaluations }) => [voteId, policyEvaluations]),
      completed.votes.map(({ id }, index) => [
        id,
        [{ policyId, outcome: index === 2 ? 'OUTCOME_ALLOW' : 'OUTCOME_REQUIRES_CONSENSUS' }],
      ]),
    )
  }))

it('completes at once what the root quorum proposes, whatever the policy says', () =>
  onStage(async (stage) => {
    await cast(stage)
    const { id, status } = await propose(stage, stage.root)
    assert.is(status, 'ACTIVITY_STATUS_COMPLETED')
    const { organizationId, http, root } = stage
    const { policyEvaluations } = await http(root).getPolicyEvaluations({ organizationId, activityId: id })
    assert.equal(policyEvaluations[0]?.policyEvaluations, [])
  }))

it('denies what no policy allows, stores it as rejected, and says so again', () =>
  onStage(async (stage) => {
    const { http, root, asks, organizationId } = stage
    const { proposer, policyId } = await cast(stage)
    const body = asks('ACTIVITY_TYPE_DELETE_USERS', { userIds: [proposer.userId] })
    const denied = await refusal(http(proposer).deleteUsers(body))
    assert.equal([denied.code, denied.error], [7, 'REQUEST_NOT_AUTHORIZED'])
    assert.match(denied.message, /^You don't have sufficient permissions to take this action\. Please add a policy/)
    assert.equal(denied.details, [
      {
        '@type': 'type.googleapis.com/errors.v1.PolicyEnginePermissionError',
        message: 'No policies evaluated to outcome: Allow',
        policyEvaluations: [{ policyId, outcome: 'OUTCOME_DENY_IMPLICIT' }],
      },
    ])
    assert.equal(await refusal(http(proposer).deleteUsers(body)), denied)
    const [stored, ...rest] = (await http(root).getActivities({ organizationId })).activities
    assert.equal([stored?.status, stored?.type], ['ACTIVITY_STATUS_REJECTED', 'ACTIVITY_TYPE_DELETE_USERS'])
    assert.not.ok(rest.some(({ type }) => type === 'ACTIVITY_TYPE_DELETE_USERS'))
    assert.equal(stored?.votes[0]?.message, JSON.stringify(body))
  }))

it('denies what a policy forbids, and names it', () =>
  onStage(async (stage) => {
    const { http, root, asks } = stage
    const { proposer, policyId: allowing } = await cast(stage)
    const policy = {
      policyName: 'nobody tags',
      effect: 'EFFECT_DENY' as const,
      condition: "activity.type == 'ACTIVITY_TYPE_CREATE_USER_TAG'",
      notes: '',
    }
    const { activity } = await http(root).createPolicy(asks('ACTIVITY_TYPE_CREATE_POLICY_V3', policy))
    const denying = activity.result.createPolicyResult?.policyId
    const denied = await refusal(propose(stage, proposer))
    assert.is(denied.code, 7)
    assert.equal(denied.details[0]?.['message'], `The following policies denied this action: ${denying}`)
    assert.equal(denied.details[0]?.['policyEvaluations'], [
      { policyId: allowing, outcome: 'OUTCOME_REQUIRES_CONSENSUS' },
      { policyId: denying, outcome: 'OUTCOME_DENY_EXPLICIT' },
    ])
  }))

it('refuses a vote once its user or key is gone', () =>
  onStage(async (stage) => {
    const { root, done, clock } = stage
    const { proposer, approvers } = await cast(stage)
    const parked = await propose(stage, proposer)
    const [grace, edsger, barbara] = approvers
    await done(root, 'delete_users', { userIds: [grace.userId] })
    const removed = await refusal(approve(stage, grace, parked))
    assert.equal([removed.code, removed.error], [16, 'PUBLIC_KEY_NOT_FOUND'])
    const { key } = await withKey(stage, edsger, generateKey('API_KEY_CURVE_P256'), '60')
    clock.pass(60_000)
    const expired = await refusal(approve(stage, { ...edsger, key }, parked))
    assert.equal([expired.code, expired.error], [16, 'API_KEY_EXPIRED'])
    assert.match(expired.message, new RegExp(`^expired api key organizationId=.* publicKey=${key.publicKey}$`))
    assert.is((await approve(stage, edsger, parked)).status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
    assert.is((await approve(stage, barbara, parked)).status, 'ACTIVITY_STATUS_COMPLETED')
  }))

it('completes once when approvals arrive together', () =>
  onStage(async (stage) => {
    const { http, root, organizationId } = stage
    const { proposer, approvers } = await cast(stage)
    const parked = await propose(stage, proposer)
    const answers = await Promise.all(approvers.map((person) => approve(stage, person, parked)))
    const statuses = answers.map(({ status }) => status).toSorted()
    assert.equal(statuses.slice(0, 2), ['ACTIVITY_STATUS_COMPLETED', 'ACTIVITY_STATUS_COMPLETED'])
    assert.equal(statuses[2], 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
    assert.is((await http(root).listUserTags({ organizationId })).userTags.length, 2)
    const { activity } = await http(root).getActivity({ organizationId, activityId: parked.id })
    assert.is(activity.votes.length, 3)
  }))

it('keeps the votes of users who are gone', () =>
  onStage(async (stage) => {
    const { root, done } = stage
    const { proposer, approvers } = await cast(stage)
    const parked = await propose(stage, proposer)
    await approve(stage, approvers[0], parked)
    await done(root, 'delete_users', { userIds: [proposer.userId, approvers[0].userId] })
    const waiting = await approve(stage, approvers[1], parked) // the approval of one who is gone counts no more
    assert.is(waiting.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
    const completed = await approve(stage, approvers[2], parked)
    assert.is(completed.status, 'ACTIVITY_STATUS_COMPLETED')
    const voters = [proposer, ...approvers]
    assert.equal(completed.votes.map(({ userId }) => userId), voters.map(({ userId }) => userId)) // prettier-ignore
    assert.equal(completed.votes.map(({ user }) => user.userName), ['ada', 'grace', 'edsger', 'barbara']) // prettier-ignore
  }))

it.run()
