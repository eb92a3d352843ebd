import { TurnkeyActivityConsensusNeededError, assertActivityCompleted, type TActivity } from '@turnkey/http'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Person } from '../../core/world/world.ts'
import { onStage, refusal, type Stage } from './stage.ts'

const it = suite('@turnkey/http: consensus')

/** Root and Ada are the root quorum, and it takes both. */
const twoRoots = async ({ root, enrol, done }: Stage): Promise<Person> => {
  const ada = await enrol('ada')
  await done(root, 'update_root_quorum', { threshold: 2, userIds: [root.userId, ada.userId] })
  return ada
}
const tag = async ({ http, asks }: Stage, person: Person, userTagName = 'a'): Promise<TActivity> =>
  (await http(person).createUserTag(asks('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName, userIds: [] }))).activity
const approve = async ({ http, asks }: Stage, person: Person, { fingerprint }: { fingerprint: string }) =>
  (await http(person).approveActivity(asks('ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint }))).activity
const reject = async ({ http, asks }: Stage, person: Person, { fingerprint }: { fingerprint: string }) =>
  (await http(person).rejectActivity(asks('ACTIVITY_TYPE_REJECT_ACTIVITY', { fingerprint }))).activity
const rightsOf = ({ canApprove, canReject }: TActivity) => [canApprove, canReject]

it('completes an activity of the root quorum at the second approval', () =>
  onStage(async (stage) => {
    const { http, root, organizationId, exchanges } = stage
    const ada = await twoRoots(stage)
    const parked = await tag(stage, root)
    assert.is(parked.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
    assert.throws(() => assertActivityCompleted(parked), (error: unknown) => error instanceof TurnkeyActivityConsensusNeededError) // prettier-ignore
    assert.equal((await http(root).listUserTags({ organizationId })).userTags, [])

    const approved = await approve(stage, ada, parked)
    assert.ok(assertActivityCompleted(approved))
    assert.equal([approved.id, approved.type], [parked.id, 'ACTIVITY_TYPE_CREATE_USER_TAG'])
    assert.equal(
      approved.votes.map(({ userId, selection }) => [userId, selection]),
      [
        [root.userId, 'VOTE_SELECTION_APPROVED'],
        [ada.userId, 'VOTE_SELECTION_APPROVED'],
      ],
    )
    assert.match(approved.votes[1]?.message ?? '', /"type":"ACTIVITY_TYPE_APPROVE_ACTIVITY"/)
    assert.is((await http(root).listUserTags({ organizationId })).userTags[0]?.tagName, 'a')
    assert.ok(exchanges.every(({ status }) => status === 200))
  }))

it('ends an activity at the first rejection', () =>
  onStage(async (stage) => {
    const { root, http, organizationId } = stage
    const ada = await twoRoots(stage)
    const parked = await tag(stage, root)
    const rejected = await reject(stage, ada, parked)
    assert.is(rejected.status, 'ACTIVITY_STATUS_REJECTED')
    assert.is(rejected.votes[1]?.selection, 'VOTE_SELECTION_REJECTED')
    assert.equal(rightsOf(rejected), [false, false])
    assert.is((await approve(stage, ada, parked)).status, 'ACTIVITY_STATUS_REJECTED')
    assert.equal((await http(root).listUserTags({ organizationId })).userTags, [])
  }))

it('lets the requester take an activity back by rejecting it', () =>
  onStage(async (stage) => {
    await twoRoots(stage)
    const parked = await tag(stage, stage.root)
    assert.equal(rightsOf(parked), [false, true])
    assert.is((await reject(stage, stage.root, parked)).status, 'ACTIVITY_STATUS_REJECTED')
  }))

it('tells each caller what they may do', () =>
  onStage(async (stage) => {
    const { http, root, organizationId } = stage
    const ada = await twoRoots(stage)
    const parked = await tag(stage, root)
    const asSeenBy = async (person: Person) =>
      rightsOf((await http(person).getActivity({ organizationId, activityId: parked.id })).activity)
    assert.equal([await asSeenBy(root), await asSeenBy(ada)], [[false, true], [true, true]]) // prettier-ignore
    const [listed] = (await http(ada).getActivities({ organizationId })).activities
    assert.equal([listed?.id, listed?.canApprove], [parked.id, true])
    assert.equal(rightsOf(await approve(stage, ada, parked)), [false, false])
    assert.equal([await asSeenBy(root), await asSeenBy(ada)], [[false, false], [false, false]]) // prettier-ignore
  }))

it('counts each user once, and answers repeated and late votes with the activity', () =>
  onStage(async (stage) => {
    const { root, asks, http } = stage
    const ada = await twoRoots(stage)
    const parked = await tag(stage, root)
    const own = await approve(stage, root, parked)
    assert.equal([own.status, own.votes.length], ['ACTIVITY_STATUS_CONSENSUS_NEEDED', 1])
    const body = asks('ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint: parked.fingerprint })
    const first = (await http(ada).approveActivity(body)).activity
    assert.equal([first.status, first.votes.length], ['ACTIVITY_STATUS_COMPLETED', 2])
    assert.equal((await http(ada).approveActivity(body)).activity, first)
    const { timestampMs } = first as typeof first & { readonly timestampMs: string } // that of the request
    const again = await approve(stage, ada, parked)
    assert.is.not((again as typeof again & { readonly timestampMs: string }).timestampMs, timestampMs)
    assert.equal({ ...again, timestampMs }, first)
    assert.equal((await reject(stage, ada, parked)).status, 'ACTIVITY_STATUS_COMPLETED')
    assert.equal((await reject(stage, root, parked)).votes.length, 2)
  }))

it('refuses the votes of users whose votes cannot matter', () =>
  onStage(async (stage) => {
    const { root, enrol, http, organizationId } = stage
    const grace = await enrol('grace')
    const ada = await twoRoots(stage)
    const parked = await tag(stage, root)
    for (const vote of [approve, reject]) {
      const refused = await refusal(vote(stage, grace, parked))
      assert.equal([refused.code, refused.error], [7, 'REQUEST_NOT_AUTHORIZED'])
      assert.match(refused.message, /permission/i)
    }
    const { activity } = await http(grace).getActivity({ organizationId, activityId: parked.id })
    assert.equal([activity.votes.length, ...rightsOf(activity)], [1, false, false])
    assert.is((await approve(stage, ada, parked)).status, 'ACTIVITY_STATUS_COMPLETED')
    assert.is((await refusal(approve(stage, grace, parked))).code, 7)
  }))

it('refuses votes on what is not there, and votes that say nothing', () =>
  onStage(async (stage) => {
    const { root, http, asks } = stage
    const message =
      'No activity found with fingerprint. Consensus activities must target an existing activity by fingerprint'
    const fingerprint = `sha256:${'0'.repeat(64)}`
    for (const vote of [approve, reject]) {
      const expected = { code: 5, error: 'REQUEST_INVALID', message, details: [] }
      assert.equal(await refusal(vote(stage, root, { fingerprint })), expected)
      assert.is((await refusal(vote(stage, root, { fingerprint: '' }))).code, 3)
    }
    const wrong = asks('ACTIVITY_TYPE_REJECT_ACTIVITY' as 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint })
    assert.match((await refusal(http(root).approveActivity(wrong))).message, /^bad request body/)
  }))

it('fails an activity that the operation refuses when its consensus is reached', () =>
  onStage(async (stage) => {
    const { root } = stage
    const ada = await twoRoots(stage)
    const [first, second] = [await tag(stage, root, 'same'), await tag(stage, root, 'same')]
    assert.is((await approve(stage, ada, first)).status, 'ACTIVITY_STATUS_COMPLETED')
    const failed = await approve(stage, ada, second)
    assert.is(failed.status, 'ACTIVITY_STATUS_FAILED')
    assert.is(failed.failure?.code, 3)
    assert.match(failed.failure?.message ?? '', /must be unique/)
  }))

it('lets approvals lapse after a day, and takes them again', () =>
  onStage(async (stage) => {
    const { root, http, clock, organizationId } = stage
    const ada = await twoRoots(stage)
    const parked = await tag(stage, root)
    clock.pass(24 * 60 * 60 * 1000)
    const { activity } = await http(root).getActivity({ organizationId, activityId: parked.id })
    assert.equal([activity.status, ...rightsOf(activity)], ['ACTIVITY_STATUS_CONSENSUS_NEEDED', true, true])
    assert.is((await approve(stage, ada, parked)).status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
    const approved = await approve(stage, root, parked)
    assert.equal([approved.status, approved.votes.length], ['ACTIVITY_STATUS_COMPLETED', 3])
  }))

it.run()
