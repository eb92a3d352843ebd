import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { stamp } from '../../../adapters/signatures/signer.ts'
import type { Person } from '../../core/world/world.ts'
import { onStage, refusal, type Stage } from './stage.ts'

const it = suite('the same body again')

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const twoRoots = async ({ root, enrol, done }: Stage): Promise<Person> => {
  const ada = await enrol('ada')
  await done(root, 'update_root_quorum', { threshold: 2, userIds: [root.userId, ada.userId] })
  return ada
}
const tagging = ({ asks }: Stage, userTagName = 'a') =>
  asks('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName, userIds: [] })
const countOf = async ({ http, root, organizationId }: Stage): Promise<number> =>
  (await http(root).getActivities({ organizationId, paginationOptions: { limit: '100' } })).activities.length

it('is the same activity to its requester, however late', () =>
  onStage(async (stage) => {
    const { http, root, clock } = stage
    const body = tagging(stage)
    const { activity } = await http(root).createUserTag(body)
    const count = await countOf(stage)
    assert.equal((await http(root).createUserTag(body)).activity, activity)
    clock.pass(30 * 24 * HOUR_MS)
    assert.equal((await http(root).createUserTag(body)).activity, activity)
    assert.is(await countOf(stage), count)
  }))

it('is one activity, also when it is sent many times at once', () =>
  onStage(async (stage) => {
    const { http, root } = stage
    const [client, body, count] = [http(root), tagging(stage), await countOf(stage)]
    const answers = await Promise.all(Array.from({ length: 8 }, () => client.createUserTag(body)))
    assert.is(new Set(answers.map(({ activity }) => activity.id)).size, 1)
    assert.equal(new Set(answers.map(({ activity }) => activity.votes.length)), new Set([1]))
    assert.is(await countOf(stage), count + 1)
  }))

it('is another activity with another timestamp', () =>
  onStage(async (stage) => {
    const { http, root, asks } = stage
    const { userId } = root
    const rename = () => http(root).updateUser(asks('ACTIVITY_TYPE_UPDATE_USER', { userId, userName: 'Root' }))
    const [first, second] = [await rename(), await rename()]
    assert.is.not(first.activity.id, second.activity.id)
    assert.is.not(first.activity.fingerprint, second.activity.fingerprint)
  }))

it('is no new vote of its requester while it waits for others', () =>
  onStage(async (stage) => {
    await twoRoots(stage)
    const { http, root } = stage
    const body = tagging(stage)
    const { activity } = await http(root).createUserTag(body)
    assert.is(activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
    assert.equal((await http(root).createUserTag(body)).activity, activity)
  }))

it('is an approval from another eligible user', () =>
  onStage(async (stage) => {
    const ada = await twoRoots(stage)
    const { http, root, clock } = stage
    const body = tagging(stage)
    const { activity: parked } = await http(root).createUserTag(body)
    clock.pass(2 * HOUR_MS) // the body is old, the approvals are not
    const { activity } = await http(ada).createUserTag(body)
    assert.equal([activity.id, activity.status], [parked.id, 'ACTIVITY_STATUS_COMPLETED'])
    assert.equal(
      activity.votes.map(({ userId, message }) => [userId, message]),
      [root, ada].map(({ userId }) => [userId, JSON.stringify(body)]),
    )
  }))

it('is no approval from a user who may not vote', () =>
  onStage(async (stage) => {
    const grace = await stage.enrol('grace')
    await twoRoots(stage)
    const { http, root } = stage
    const body = tagging(stage)
    await http(root).createUserTag(body)
    const refused = await refusal(http(grace).createUserTag(body))
    assert.equal([refused.code, refused.error], [7, 'REQUEST_NOT_AUTHORIZED'])
    assert.is((await http(root).createUserTag(body)).activity.votes.length, 1)
  }))

it('does not renew approvals that have lapsed', () =>
  onStage(async (stage) => {
    const ada = await twoRoots(stage)
    const { http, root, clock } = stage
    const body = tagging(stage)
    await http(root).createUserTag(body)
    clock.pass(24 * HOUR_MS)
    const refused = await refusal(http(ada).createUserTag(body))
    assert.equal([refused.code, refused.error], [3, 'REQUEST_INVALID'])
    assert.is((await http(root).createUserTag(body)).activity.votes.length, 1)
  }))

it('tells its requester that it was voted down, with 200', () =>
  onStage(async (stage) => {
    const ada = await twoRoots(stage)
    const { http, root, asks } = stage
    const body = tagging(stage)
    const { fingerprint } = (await http(root).createUserTag(body)).activity
    await http(ada).rejectActivity(asks('ACTIVITY_TYPE_REJECT_ACTIVITY', { fingerprint }))
    assert.is((await http(root).createUserTag(body)).activity.status, 'ACTIVITY_STATUS_REJECTED')
  }))

it('may be sent again after it was refused without being stored', () =>
  onStage(async (stage) => {
    const { http, root } = stage
    const [body, count] = [tagging(stage, ''), await countOf(stage)]
    const refused = await refusal(http(root).createUserTag(body))
    assert.equal(await refusal(http(root).createUserTag(body)), refused)
    assert.is(await countOf(stage), count)
  }))

for (const [name, offsetMs, isTaken] of [
  ['an hour old', -HOUR_MS, false],
  ['a millisecond less than an hour old', -HOUR_MS + 1, true],
  ['five minutes ahead', 5 * MINUTE_MS, true],
  ['a millisecond more than five minutes ahead', 5 * MINUTE_MS + 1, false],
] as const) {
  it(`is ${isTaken ? 'taken' : 'refused'} the first time when it is ${name}`, () =>
    onStage(async (stage) => {
      const { http, root, clock } = stage
      const timestampMs = String(clock.now() + offsetMs)
      const asked = http(root).createUserTag({ ...tagging(stage), timestampMs })
      if (isTaken) assert.is((await asked).activity.status, 'ACTIVITY_STATUS_COMPLETED')
      else {
        const { code, error, message, details } = await refusal(asked)
        assert.equal([code, error], [3, 'REQUEST_INVALID'])
        assert.match(message, /timestampMs.*1 hour.*5 minutes/)
        assert.is(details.length, 1)
      }
    }))
}

it('refuses votes with a stale timestamp, but for those that change nothing', () =>
  onStage(async (stage) => {
    const ada = await twoRoots(stage)
    const { http, root, asks, clock } = stage
    const { fingerprint } = (await http(root).createUserTag(tagging(stage))).activity
    const stale = {
      ...asks('ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint }),
      timestampMs: String(clock.now() - HOUR_MS),
    }
    assert.match((await refusal(http(ada).approveActivity(stale))).message, /timestampMs/)
    const { activity } = await http(root).approveActivity(stale)
    assert.is(activity.votes.length, 1)
    await http(ada).approveActivity(asks('ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint }))
    assert.is((await http(ada).approveActivity(stale)).activity.status, 'ACTIVITY_STATUS_COMPLETED')
  }))

it('is told by its bytes: other white space is another activity, and members that nobody knows are ignored', () =>
  onStage(async (stage) => {
    const { post, root, bytes } = stage
    const tag = (userTagName: string) =>
      bytes('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName, userIds: [], colour: 'red' }, { memo: [1, { two: 2 }] })
    const body = tag('a')
    const { status, body: answer } = await post(root, 'submit/create_user_tag', body)
    assert.equal([status, answer.activity.intent], [200, { createUserTagIntent: { userTagName: 'a', userIds: [] } }])
    assert.is((await post(root, 'submit/create_user_tag', body)).body.activity.id, answer.activity.id)
    assert.is((await post(root, 'submit/create_user_tag', `${body} `)).status, 400) // the name is taken: it was asked anew
  }))

it('takes a stamp for its own body alone', () =>
  onStage(async (stage) => {
    const { postRaw, root, bytes } = stage
    const [signed, sent] = ['a', 'b'].map((userTagName) =>
      bytes('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName, userIds: [] }),
    )
    const header = stamp(root.key, Buffer.from(signed ?? ''))
    const { status, body } = await postRaw('submit/create_user_tag', sent ?? '', { 'X-Stamp': header })
    assert.equal([status, body.turnkeyErrorCode], [401, 'SIGNATURE_INVALID'])
  }))

it.run()
