import * as t from '../../../core/codec/t.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { operation } from '../../../core/definition/operation.ts'
import type { Json } from '../../../core/failure.ts'
import { withHost } from '../../core/world/with-host.ts'
import { onStage, refusal, type Reply, type Stage } from './stage.ts'

const it = suite('the wire, to the letter')

type Submitted = { readonly timestampMs?: string } // what the specification adds to the clients' type

/** An operation of a host that has the name of one of the public API, in its newest form alone. */
const ethSendTransaction = operation({
  type: 'ACTIVITY_TYPE_ETH_SEND_TRANSACTION_V2',
  path: 'eth_send_transaction',
  summary: 'Does nothing.',
  intent: t.fields({}),
  result: t.fields({}),
  change: t.fields({}),
  execute: () => ({ result: {}, change: {} }),
  evolve: () => undefined,
})

const tag = 'ACTIVITY_TYPE_CREATE_USER_TAG'
const submitTag = (
  { post, root, bytes }: Stage,
  name: string,
  more: { readonly [member: string]: Json },
): Promise<Reply> => post(root, 'submit/create_user_tag', bytes(tag, { userTagName: name, userIds: [] }, more))

it('takes generateAppProofs where it is false or null, whatever unknown members are beside it', () =>
  onStage(async (stage) => {
    const { http, root, asks } = stage
    const body = { ...asks(tag, { userTagName: 'one', userIds: [] }), generateAppProofs: false }
    assert.is((await http(root).createUserTag(body)).activity.status, 'ACTIVITY_STATUS_COMPLETED')
    const nothing = await submitTag(stage, 'two', {
      generateAppProofs: null,
      generateappproofs: true,
      more: { a: [1] },
    })
    assert.equal([nothing.status, nothing.body.activity.appProofs], [200, []])
  }))

it('shows an activity whose body asks for them with app proofs, once it is completed', () =>
  onStage(async ({ http, root, enrol, done, asks, organizationId }) => {
    const ada = await enrol('ada')
    const client = http(root)
    const proofsOf = async (activityId: string) => ({
      asked: (await client.getActivity({ organizationId, activityId })).activity.appProofs,
      listed: (await client.getAppProofs({ organizationId, activityId })).appProofs,
    })
    const body = (name: string) => ({ ...asks(tag, { userTagName: name, userIds: [] }), generateAppProofs: true })
    const { activity } = await client.createUserTag(body('one'))
    assert.is(activity.status, 'ACTIVITY_STATUS_COMPLETED')
    assert.is(activity.appProofs?.length, 1)
    assert.equal(await proofsOf(activity.id), { asked: activity.appProofs, listed: activity.appProofs })

    await done(root, 'update_root_quorum', { threshold: 2, userIds: [root.userId, ada.userId] })
    const waiting = (await client.createUserTag(body('two'))).activity
    assert.equal([waiting.status, waiting.appProofs], ['ACTIVITY_STATUS_CONSENSUS_NEEDED', []])
    assert.equal(await proofsOf(waiting.id), { asked: [], listed: [] })
    const vote = asks('ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint: waiting.fingerprint })
    const completed = (await http(ada).approveActivity(vote)).activity
    assert.equal([completed.status, completed.appProofs?.length], ['ACTIVITY_STATUS_COMPLETED', 1])
    assert.equal(await proofsOf(waiting.id), { asked: completed.appProofs, listed: completed.appProofs })
  }))

it('refuses generateAppProofs where it is no boolean', () =>
  onStage(async (stage) => {
    for (const wrong of ['true', 1, 0, '', [], {}]) {
      const { status, body } = await submitTag(stage, 'one', { generateAppProofs: wrong })
      assert.equal([status, body.code], [400, 3], JSON.stringify(wrong))
      assert.is(body.message, 'invalid request body at generateAppProofs: expected a boolean')
    }
  }))

it('answers a submit with the timestampMs of the request, and a vote with its own', () =>
  onStage(async ({ http, root, post, enrol, done, asks, bytes, clock }) => {
    const ada = await enrol('ada')
    await done(root, 'update_root_quorum', { threshold: 2, userIds: [root.userId, ada.userId] })
    const body = asks(tag, { userTagName: 'one', userIds: [] })
    clock.pass(7_000)
    const { activity } = await http(root).createUserTag(body)
    const { timestampMs } = activity as typeof activity & Submitted
    assert.is(timestampMs, body.timestampMs)
    assert.is.not(Number(activity.createdAt.seconds), Math.floor(Number(timestampMs) / 1000))
    const vote = asks('ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint: activity.fingerprint })
    const voted: Submitted = (await http(ada).approveActivity(vote)).activity as Submitted
    assert.is(voted.timestampMs, vote.timestampMs)
    assert.is(((await http(root).createUserTag(body)).activity as Submitted).timestampMs, body.timestampMs)
    const number = bytes(tag, { userTagName: 'two', userIds: [] }, { timestampMs: clock.now() })
    const { body: answer } = await post(root, 'submit/create_user_tag', number)
    assert.is((answer.activity as Submitted).timestampMs, String(clock.now()))
  }))

it('names an operation or query that the client has and the server does not offer', () =>
  onStage(async ({ http, root, asks, organizationId }) => {
    const client = http(root)
    const key = asks('ACTIVITY_TYPE_CREATE_TVC_QUORUM_KEY', { threshold: 1 }) as never // nobody reads its parameters
    const refused = [
      await refusal(client.createTvcQuorumKey(key)),
      await refusal(client.getTvcQuorumKeys({ organizationId })),
    ]
    const names = ['create_tvc_quorum_key', 'list_tvc_quorum_keys']
    assert.equal(
      refused,
      names.map((name) => ({
        code: 3,
        error: 'REQUEST_INVALID',
        message: `${name} belongs to the public API, but is not offered here`,
        details: [],
      })),
    )
  }))

it('refuses a known type on the path of another operation as a wrong request', () =>
  onStage(async ({ post, root, bytes }) => {
    for (const type of [
      'ACTIVITY_TYPE_CREATE_TVC_APP',
      'ACTIVITY_TYPE_CREATE_USER_TAG_V2',
      'ACTIVITY_TYPE_CREATE_USERS',
    ]) {
      const { status, body } = await post(
        root,
        'submit/create_user_tag',
        bytes(type, { userTagName: 'a', userIds: [] }),
      )
      assert.equal([status, body.message], [400, 'bad request body: type does not belong to create_user_tag'])
    }
  }))

it('names a type of the public API that is another form of the operation, and is not offered', () =>
  onStage(
    async ({ http, root, asks, done }) => {
      const parameters = { from: '0x', unsignedTransaction: '' }
      assert.is((await done(root, 'eth_send_transaction', {})).status, 'ACTIVITY_STATUS_COMPLETED')
      const type = 'ACTIVITY_TYPE_ETH_SEND_TRANSACTION'
      const older = { ...asks(type, parameters) } as never // a client of an earlier version
      const { code, message } = await refusal(http(root).ethSendTransaction(older))
      assert.equal([code, message], [3, `${type} belongs to the public API, but is not offered here`])
    },
    { resources: withHost([ethSendTransaction]) },
  ))

it('begins the details of a denial with what the policies found', () =>
  onStage(async ({ post, enrol, bytes }) => {
    const ada = await enrol('ada')
    const { status, body } = await post(ada, 'submit/create_user_tag', bytes(tag, { userTagName: 'a', userIds: [] }))
    assert.equal([status, body.code, body.turnkeyErrorCode], [403, 7, 'REQUEST_NOT_AUTHORIZED'])
    assert.equal(body.details, [
      {
        '@type': 'type.googleapis.com/errors.v1.PolicyEnginePermissionError',
        message: 'No policies evaluated to outcome: Allow',
        policyEvaluations: [],
      },
      { '@type': 'type.googleapis.com/errors.v1.TurnkeyErrorDetail', turnkeyErrorCode: 'REQUEST_NOT_AUTHORIZED' },
    ])
  }))

it('takes an empty name for one that is left out, and echoes it as it was sent', () =>
  onStage(async ({ http, root, asks, organizationId }) => {
    const client = http(root)
    const { activity: tagged } = await client.createUserTag(asks(tag, { userTagName: 'one', userIds: [] }))
    const userTagId = tagged.result.createUserTagResult?.userTagId ?? ''
    const policy = { policyName: 'all', effect: 'EFFECT_ALLOW' as const, notes: '' }
    const { activity: allowed } = await client.createPolicy(asks('ACTIVITY_TYPE_CREATE_POLICY_V3', policy))
    const policyId = allowed.result.createPolicyResult?.policyId ?? ''
    const user = { userId: root.userId, userName: '', userEmail: 'ada@example.com', userTagIds: [] }
    const { activity } = await client.updateUser(asks('ACTIVITY_TYPE_UPDATE_USER', user))
    assert.equal(activity.intent.updateUserIntent, user)
    await client.updatePolicy(asks('ACTIVITY_TYPE_UPDATE_POLICY_V2', { policyId, policyName: '', policyNotes: 'new' }))
    const renaming = { userTagId, newUserTagName: '', addUserIds: [root.userId], removeUserIds: [] }
    await client.updateUserTag(asks('ACTIVITY_TYPE_UPDATE_USER_TAG', renaming))
    const { users } = await client.getUsers({ organizationId })
    assert.equal(
      users.map(({ userName, userEmail, userTags }) => [userName, userEmail, userTags]),
      [['root', 'ada@example.com', [userTagId]]],
    )
    const { policies } = await client.getPolicies({ organizationId })
    assert.equal([policies[0]?.policyName, policies[0]?.notes], ['all', 'new'])
    assert.is((await client.listUserTags({ organizationId })).userTags[0]?.tagName, 'one')
  }))

it('filters activities by every type of the public API, and refuses what is none', () =>
  onStage(async ({ http, post, root, organizationId }) => {
    const known = ['ACTIVITY_TYPE_CREATE_TVC_APP', 'ACTIVITY_TYPE_CREATE_ORGANIZATION'] as const
    const { activities } = await http(root).getActivities({ organizationId, filterByType: [...known] })
    assert.equal(
      activities.map(({ type }) => type),
      ['ACTIVITY_TYPE_CREATE_ORGANIZATION'],
    )
    const statuses =
      'ACTIVITY_STATUS_CREATED, ACTIVITY_STATUS_PENDING, ACTIVITY_STATUS_COMPLETED, ACTIVITY_STATUS_FAILED, ' +
      'ACTIVITY_STATUS_CONSENSUS_NEEDED, ACTIVITY_STATUS_REJECTED or ACTIVITY_STATUS_AUTHENTICATORS_NEEDED'
    for (const [member, wrong, expects] of [
      ['filterByType', 'ACTIVITY_TYPE_CREATE_TVC_AP', 'a type of activities'],
      ['filterByType', 'create_users', 'a type of activities'],
      ['filterByType', '', 'a type of activities'],
      ['filterByStatus', 'ACTIVITY_STATUS_COMPLETE', statuses],
    ] as const) {
      const asked = JSON.stringify({ organizationId, [member]: [wrong] })
      const { status, body } = await post(root, 'query/list_activities', asked)
      const expected = `expected ${expects}`
      assert.equal([status, body.message], [400, `invalid request body at ${member}.0: ${expected}`], wrong)
      assert.equal(body.details[1], {
        '@type': 'type.googleapis.com/google.rpc.BadRequest',
        fieldViolations: [{ field: `${member}.0`, description: expected }],
      })
    }
  }))

it('says in which clause of a policy the words about time belong', () =>
  onStage(async ({ http, root, asks }) => {
    const refused = async (condition: string) => {
      const policy = { policyName: 'one', effect: 'EFFECT_ALLOW' as const, notes: '', condition }
      return (await refusal(http(root).createPolicy(asks('ACTIVITY_TYPE_CREATE_POLICY_V3', policy)))).message
    }
    const wrong = 'invalid policy condition: '
    const absent = `${wrong}Expression cannot be evaluated: field does not exist:`
    const constructors = 'CronSpan and Timestamp belong in the time of a policy'
    assert.is(await refused('time.now > 7'), `${absent} time (it belongs in the time), at line 1, column 1`)
    assert.is(await refused("CronSpan('* * * * *', '1h', 'UTC')"), `${wrong}line 1, column 1: ${constructors}`)
    const both = await refused("time.now > Timestamp('2026-01-01T00:00:00Z')")
    assert.ok(both.startsWith(`${absent} time `) && both.endsWith(`; line 1, column 12: ${constructors}`), both)
    assert.is(await refused('timer.now > 7'), `${absent} timer, at line 1, column 1`)
  }))

it('keeps the last name of a voter who was deleted', () =>
  onStage(async ({ http, root, enrol, done, asks, organizationId }) => {
    const ada = await enrol('ada')
    const policy = { policyName: 'all', effect: 'EFFECT_ALLOW' as const, notes: '' }
    await http(root).createPolicy(asks('ACTIVITY_TYPE_CREATE_POLICY_V3', policy))
    const { activity } = await http(ada).createUserTag(asks(tag, { userTagName: 'one', userIds: [] }))
    await done(root, 'update_user', { userId: ada.userId, userName: 'Ada Lovelace' })
    await done(root, 'delete_users', { userIds: [ada.userId] })
    const shown = await http(root).getActivity({ organizationId, activityId: activity.id })
    const { user } = shown.activity.votes[0] ?? {}
    assert.equal([user?.userId, user?.userName, user?.apiKeys], [ada.userId, 'Ada Lovelace', []])
  }))

it.run()
