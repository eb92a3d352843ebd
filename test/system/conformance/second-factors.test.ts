import { assertActivityCompleted, createActivityPoller, TurnkeyActivityError, type TActivity } from '@turnkey/http'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeUtf8 } from '../../../core/bytes.ts'
import { KEY_AND_PASSKEY, keyringOf, requires, type Keyring } from '../../core/command/factors.ts'
import { onStage, type Stage } from './stage.ts'

const it = suite('second factors with the official clients')

const FACTOR = 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED'

/** Somebody who may make tags, with a key and a passkey. */
const withFactors = async (stage: Stage, consensus = 'true'): Promise<Keyring> => {
  const ada = await keyringOf(stage, await stage.enrol('ada'))
  const policy = { policyName: 'tags', effect: 'EFFECT_ALLOW', condition: "activity.resource == 'USER'", notes: '' }
  await stage.done(stage.root, 'create_policy', { ...policy, consensus })
  await requires(stage, ada.first, KEY_AND_PASSKEY)
  return ada
}

/** Approves with the passkey: `@turnkey/webauthn-stamper` makes such stamps in browsers. */
const approveByPasskey = async (stage: Stage, { passkey }: Keyring, fingerprint: string): Promise<TActivity> => {
  const body = stage.bytes('ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
  const headers = { 'X-Stamp-Webauthn': passkey.passkey?.stamp(encodeUtf8(body)) ?? '' }
  return (await stage.postRaw('submit/approve_activity', body, headers)).body.activity
}

it('@turnkey/http throws while a factor is missing, and gives the activity when it is there', () =>
  onStage(async (stage) => {
    const { asks, http, organizationId } = stage
    const ada = await withFactors(stage)
    const client = http(ada.first)
    const body = asks('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'a', userIds: [] })
    const poll = createActivityPoller({ client, requestFn: client.createUserTag, refreshIntervalMs: 1 })
    const error = await poll(body).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    assert.ok(error instanceof TurnkeyActivityError)
    assert.is(error.activityStatus, FACTOR)
    const activityId = error.activityId ?? ''
    assert.is(error.message, `Authenticators needed for activity ${activityId}`)

    const { activity } = await client.getActivity({ organizationId, activityId })
    assert.equal([activity.status, activity.canApprove], [FACTOR, true])
    assert.throws(() => assertActivityCompleted(activity))
    const { mfaStatuses } = await client.getMfaStatus({ organizationId, activityId })
    assert.equal(
      mfaStatuses.map(({ userId, satisfied, satisfiedMethods }) => [userId, satisfied, satisfiedMethods.length]),
      [[ada.first.userId, false, 1]],
    )
    assert.is((await approveByPasskey(stage, ada, activity.fingerprint)).status, 'ACTIVITY_STATUS_COMPLETED')
    const done = await poll(body)
    assert.equal([done.id, done.votes.length], [activityId, 2])
    const [after] = (await client.getMfaStatus({ organizationId, activityId, userId: ada.first.userId })).mfaStatuses
    assert.is(after?.satisfied, true)
  }))

it('@turnkey/sdk-server returns an activity whose factor is missing', () =>
  onStage(async (stage) => {
    const { exchanges, sdk } = stage
    const ada = await withFactors(stage)
    const { activity } = await sdk(ada.first).createUserTag({ userTagName: 'a', userIds: [] })
    assert.is(activity.status, FACTOR)
    // For this client the status is final, so it does not poll.
    assert.not.ok(exchanges.some(({ path }) => path.endsWith('/get_activity')))
    const { fingerprint } = activity
    assert.is((await approveByPasskey(stage, ada, fingerprint)).status, 'ACTIVITY_STATUS_COMPLETED')
    assert.equal((await sdk(ada.first).getMfaPolicies({ userId: ada.first.userId })).mfaPolicies.length, 1)
    const { user } = await sdk(ada.first).getUser({ userId: ada.first.userId })
    assert.equal(
      user.mfaPolicies.map(({ mfaPolicyName }) => mfaPolicyName),
      ['factors'],
    )
  }))

it('an approver whose factor is missing is told so, and everybody else sees that consensus is needed', () =>
  onStage(async (stage) => {
    const { asks, done, http, organizationId, root, sdk } = stage
    const ada = await withFactors(stage, 'approvers.count() >= 2')
    await done(root, 'update_root_quorum', { threshold: 2, userIds: [root.userId, ada.first.userId] })
    const { activity: open } = await sdk(root).createUserTag({ userTagName: 'a', userIds: [] })
    assert.is(open.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
    const { fingerprint, id: activityId } = open
    const { activity: voted } = await http(ada.first).approveActivity(
      asks('ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint }),
    )
    assert.equal([voted.id, voted.status, voted.canApprove], [activityId, FACTOR, true])
    const { activity: seen } = await http(ada.first).getActivity({ organizationId, activityId })
    assert.is(seen.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
    assert.is((await approveByPasskey(stage, ada, fingerprint)).status, 'ACTIVITY_STATUS_COMPLETED')
  }))

it.run()
