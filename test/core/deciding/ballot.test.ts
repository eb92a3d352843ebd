import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeDigest } from '../../../adapters/digest/node-digest.ts'
import { activityIdOf } from '../../../core/activity/identity.ts'
import { ballotOf, isBallotPath } from '../../../core/deciding/ballot.ts'
import { isInTime } from '../../../core/deciding/times.ts'
import type { Json } from '../../../core/failure.ts'
import { codeOf, right, stamped, world } from '../world/world.ts'
import { secondProcess } from '../command/second-process.ts'

const it = suite('ballot')

const organizationId = '0b0f1f6e-7a57-4c0a-9d5e-5a3d1f1b2c3d'
const read = (path: string, type: string, parameters: Json) =>
  ballotOf(nodeDigest(), path, { organizationId, type, timestampMs: 7, parameters })
const APPROVE = ['approve_activity', 'ACTIVITY_TYPE_APPROVE_ACTIVITY'] as const
const REJECT = ['reject_activity', 'ACTIVITY_TYPE_REJECT_ACTIVITY'] as const

it('says for or against which activity it is', () => {
  const of = { activityId: activityIdOf(nodeDigest(), organizationId, 'sha256:00'), timestampMs: 7 }
  const parameters = { fingerprint: 'sha256:00' }
  assert.equal(right(read(...APPROVE, parameters)), { selection: 'VOTE_SELECTION_APPROVED', ...of })
  assert.equal(right(read(...REJECT, parameters)), { selection: 'VOTE_SELECTION_REJECTED', ...of })
})

it('has the type that belongs to its path', () => {
  for (const [path, type] of [
    [APPROVE[0], REJECT[1]],
    [REJECT[0], APPROVE[1]],
    [APPROVE[0], ''],
    ['create_user_tag', APPROVE[1]],
  ] as const)
    assert.is(codeOf(read(path, type, { fingerprint: 'sha256:00' })), 'REQUEST_INVALID')
  assert.equal([APPROVE[0], REJECT[0], 'create_user_tag', 'constructor', ''].map(isBallotPath), [
    true,
    true,
    false,
    false,
    false,
  ])
})

it('names a fingerprint', () => {
  for (const parameters of [{}, { fingerprint: '' }, { fingerprint: 1 }, { fingerprint: 'x'.repeat(10_000) }, null])
    assert.is(codeOf(read(...APPROVE, parameters)), 'REQUEST_INVALID')
})

it('is taken for less than an hour, and five minutes ahead', () => {
  const [hour, minutes] = [60 * 60 * 1000, 5 * 60 * 1000]
  assert.equal(
    [-hour, 1 - hour, 0, minutes, minutes + 1].map((before) => isInTime(10 * hour + before, 10 * hour)),
    [false, true, true, true, false],
  )
})

it('counts in a process that has not heard of the activity yet', async () => {
  for (const [path, status] of [
    ['approve_activity', 'ACTIVITY_STATUS_COMPLETED'],
    ['reject_activity', 'ACTIVITY_STATUS_REJECTED'],
  ] as const) {
    const w = await world()
    const [ada, grace] = [await w.enrol('ada'), await w.enrol('grace')]
    const consensus = 'approvers.count() >= 2'
    await w.done(w.root, 'create_policy', { policyName: 'two', effect: 'EFFECT_ALLOW', consensus, notes: '' })
    const { fingerprint, id } = await w.done(ada, 'create_user_tag', { userTagName: 'ops', userIds: [] })
    const engine = await secondProcess(w)
    const vote = (of: string) => engine.submit(path, stamped(grace, w.body(path, { fingerprint: of })))()
    assert.is(codeOf(await vote('sha256:00')), 'ACTIVITY_NOT_FOUND')
    const voted = right(await vote(fingerprint))
    assert.equal([voted.id, voted.status], [id, status])
    await w.close()
  }
})

it.run()
