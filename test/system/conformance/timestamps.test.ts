import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { testClock } from '../../core/world/world.ts'
import { onStage, type Headers, type Reply, type Stage } from './stage.ts'

const it = suite('timestamps and the answer to a submit')

const AT_MS = Date.parse('2026-05-06T07:08:09.120Z')
const OBJECT = { seconds: '1778051289', nanos: '120000000' }
const TEXT = '2026-05-06T07:08:09.120Z'

/** The clock of the server stands there. */
const atThen = () => ({ testClock: testClock(AT_MS) })

const tag = ({ post, root, bytes }: Stage): Promise<Reply> =>
  post(root, 'submit/create_user_tag', bytes('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'a', userIds: [] }))
const ask = ({ post, root, organizationId }: Stage, path: string, more: object, headers?: Headers): Promise<Reply> =>
  post(root, `query/${path}`, JSON.stringify({ organizationId, ...more }), headers)
type Times = { readonly createdAt?: unknown; readonly updatedAt?: unknown } | undefined
const timesOf = (activity: Times): unknown => [activity?.createdAt, activity?.updatedAt]

/** Both ways to read an activity. */
const read = async (stage: Stage, headers: Headers): Promise<readonly unknown[]> => {
  const { id } = (await tag(stage)).body.activity
  const shown = (await ask(stage, 'get_activity', { activityId: id }, headers)).body.activity
  const [listed] = (await ask(stage, 'list_activities', {}, headers)).body.activities
  return [timesOf(shown), timesOf(listed)]
}

for (const [who, headers, http, expected] of [
  ['anybody', {}, {}, TEXT],
  ['a browser', { 'User-Agent': 'Mozilla/5.0 turnkey-like' }, {}, TEXT],
  ['a client that tells its version', { 'X-Client-Version': '@turnkey/http@6.6.0' }, {}, OBJECT],
  ['a client that is called turnkey-…', { 'User-Agent': 'turnkey-rust-client/0.14.0' }, {}, OBJECT],
  ['anybody, where the server is told to', {}, { activityTimestamps: 'object' }, OBJECT],
] as const) {
  it(`shows ${typeof expected === 'string' ? 'texts' : 'objects'} in activities to ${who}`, () =>
    onStage(
      async (stage) => {
        assert.equal(await read(stage, headers), [[expected, expected], [expected, expected]]) // prettier-ignore
      },
      { http, ...atThen() },
    ))
}

it('shows objects everywhere else, whoever asks', () =>
  onStage(async (stage) => {
    const { activity } = (await tag(stage)).body
    assert.equal(activity.votes[0]?.createdAt, OBJECT)
    const shown = await ask(stage, 'get_activity', { activityId: activity.id })
    assert.equal(shown.body.activity.votes[0]?.createdAt, OBJECT)
    const answer = await ask(stage, 'list_user_tags', {})
    const { userTags } = answer.body as { readonly userTags?: readonly Times[] } // the answer of this query
    assert.equal(timesOf(userTags?.[0]), [OBJECT, OBJECT])
  }, atThen()))

it('answers a submit with both: what clients read, and in its result what the specification says', () =>
  onStage(async (stage) => {
    const { activity } = (await tag(stage)).body
    assert.equal(timesOf(activity), [OBJECT, OBJECT])
    const { result, timestampMs } = activity as typeof activity & { readonly timestampMs?: string } // what is added
    assert.is(timestampMs, String(AT_MS + 1)) // that of the request, and not that of the activity
    const { activity: specified } = result as { readonly activity?: typeof activity } // what is added
    assert.equal(timesOf(specified), [TEXT, TEXT])
    assert.equal(Object.keys(specified ?? {}).toSorted(), [
      'canApprove',
      'canReject',
      'createdAt',
      'fingerprint',
      'id',
      'intent',
      'organizationId',
      'result',
      'status',
      'type',
      'updatedAt',
      'votes',
    ])
    assert.equal(specified?.result, { createUserTagResult: result.createUserTagResult })
    assert.equal(specified?.votes, activity.votes)
  }, atThen()))

it('has an empty result before completion, but for what the specification says', () =>
  onStage(async (stage) => {
    const { root, enrol, done } = stage
    const ada = await enrol('ada')
    await done(root, 'update_root_quorum', { threshold: 2, userIds: [root.userId, ada.userId] })
    const { activity } = (await tag(stage)).body
    assert.is(activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
    assert.equal(Object.keys(activity.result), ['activity'])
    const { activity: specified } = activity.result as { readonly activity?: typeof activity } // what is added
    assert.equal([specified?.id, specified?.result], [activity.id, {}])
    const shown = await ask(stage, 'get_activity', { activityId: activity.id })
    assert.equal(shown.body.activity.result, {})
  }))

it('moves the time of the last change with each vote', () =>
  onStage(async ({ http, root, enrol, done, asks, clock }) => {
    const ada = await enrol('ada')
    await done(root, 'update_root_quorum', { threshold: 2, userIds: [root.userId, ada.userId] })
    const body = asks('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'a', userIds: [] })
    const { fingerprint } = (await http(root).createUserTag(body)).activity
    clock.pass(5000)
    const vote = asks('ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
    const { activity } = await http(ada).approveActivity(vote)
    assert.equal(timesOf(activity), [OBJECT, { ...OBJECT, seconds: '1778051294' }])
    assert.equal(activity.votes[1]?.createdAt, { ...OBJECT, seconds: '1778051294' })
  }, atThen()))

it.run()
