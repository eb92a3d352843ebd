import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  evolve,
  hasLapsed,
  isApprovedByBody,
  isFinished,
  liveApprovals,
  type Activity,
} from '../../../core/activity/activity.ts'
import { statusAfter } from '../../../core/log/standing.ts'
import type { Verdict } from '../../../core/log/decision.ts'
import { failure } from '../../../core/failure.ts'
import { instant, type Event, type EventPayload } from '../../../core/log/event.ts'

const it = suite('activity')

const HOUR = 60 * 60_000
const START = Date.parse('2026-01-01T00:00:00.000Z')

const decision = (outcome: Verdict['outcome']) => ({
  verdict: { outcome, rule: 'policies' as const, evaluations: [] },
  basis: {
    rules: 1,
    generation: 1,
    read: [],
    at: instant(START),
    credential: 'key',
    scheme: 'SIGNATURE_SCHEME_TK_API_P256',
    address: null,
    factors: [],
    revision: 1,
  },
})
const created = (outcome: Verdict['outcome'] = 'CONSENSUS_NEEDED'): EventPayload => ({
  type: 'ActivityCreated',
  data: {
    type: 'ACTIVITY_TYPE_CREATE_USER_TAG',
    requester: 'ada',
    fingerprint: 'sha256:00',
    decision: decision(outcome),
  },
})
const approved = (user: string, outcome: Verdict['outcome'] = 'CONSENSUS_NEEDED'): EventPayload => ({
  type: 'ActivityVoted',
  data: { user, selection: 'VOTE_SELECTION_APPROVED', decision: decision(outcome) },
})
const rejected = (user: string): EventPayload => ({
  type: 'ActivityVoted',
  data: { user, selection: 'VOTE_SELECTION_REJECTED', decision: decision('REJECTED') },
})
const started = (attempt: number): EventPayload => ({
  type: 'ActivityStarted',
  data: { attempt, resumeAt: instant(START + HOUR), revision: 1 },
})
const completed: EventPayload = {
  type: 'ActivityCompleted',
  data: { type: 'ACTIVITY_TYPE_CREATE_USER_TAG', result: { a: 1 }, change: {}, revision: 1 },
}
const failed: EventPayload = { type: 'ActivityFailed', data: { failure: failure('INTERRUPTED', 'no'), revision: 1 } }

const event = (payload: EventPayload, revision: number, atMs: number): Event => ({
  organization: 'organization',
  sequence: BigInt(revision),
  activity: 'activity',
  revision: BigInt(revision),
  version: 1,
  id: `event-${revision}`,
  at: instant(atMs),
  previous: '',
  parts: {},
  ...payload,
})

/** The fold of what happened, each with the hours since the start. */
const after = (...history: readonly (readonly [number, EventPayload])[]): Activity => {
  let activity: Activity | undefined
  history.forEach(([hours, payload], index) => {
    activity = evolve(activity, event(payload, index + 1, START + hours * HOUR))
  })
  if (activity === undefined) throw new Error('nothing happened')
  return activity
}
const namesAt = (activity: Activity, hours: number) =>
  liveApprovals(activity, START + hours * HOUR).map(({ userId }) => userId)

it('gives each event its status', () => {
  const statuses: readonly (readonly [EventPayload, string])[] = [
    [created('CONSENSUS_NEEDED'), 'CONSENSUS_NEEDED'],
    [created('ALLOWED'), 'PENDING'],
    [created('DENIED'), 'REJECTED'],
    [approved('grace'), 'CONSENSUS_NEEDED'],
    [approved('grace', 'ALLOWED'), 'PENDING'],
    [approved('grace', 'DENIED'), 'REJECTED'],
    [rejected('grace'), 'REJECTED'],
    [started(1), 'PENDING'],
    [completed, 'COMPLETED'],
    [failed, 'FAILED'],
  ]
  for (const [payload, status] of statuses) {
    assert.is(statusAfter(event(payload, 2, START)), `ACTIVITY_STATUS_${status}`)
    const activity = payload.type === 'ActivityCreated' ? after([0, payload]) : after([0, created()], [1, payload])
    assert.is(activity.status, `ACTIVITY_STATUS_${status}`)
    assert.is(isFinished(activity), ['REJECTED', 'COMPLETED', 'FAILED'].includes(status))
  }
})

it('keeps what each event carries', () => {
  const activity = after(
    [0, created()],
    [1, approved('grace', 'ALLOWED')],
    [1, started(1)],
    [2, started(2)],
    [3, completed],
  )
  assert.equal(
    [activity.requester, activity.fingerprint, activity.attempt, activity.result, activity.revision, activity.failure],
    ['ada', 'sha256:00', 2, { a: 1 }, 5n, undefined],
  )
  assert.equal(
    [activity.createdAtMs, activity.updatedAtMs, activity.resumeAtMs],
    [START, START + 3 * HOUR, START + HOUR],
  )
  assert.equal(
    activity.votes.map(({ id, userId }) => [id, userId]),
    [
      ['event-1', 'ada'],
      ['event-2', 'grace'],
    ],
  )
  assert.is(after([0, created()], [1, failed]).failure?.code, 'INTERRUPTED')
})

it('has come to nothing, and started nothing, when it is created', () => {
  const { attempt, resumeAtMs, result, failure: reason, votesBeforeWindow } = after([0, created()])
  assert.equal([attempt, resumeAtMs, result, reason, votesBeforeWindow], [0, 0, undefined, undefined, 0])
})

it('takes its own body for an approval within its first 24 hours, and never again', () => {
  const at = (activity: Activity, hours: number) => isApprovedByBody(activity, START + hours * HOUR)
  const first = after([0, created()], [1, approved('grace')])
  assert.equal([at(first, 23.999), at(first, 24)], [true, false])
  const reopened = after([0, created()], [30, approved('joan')])
  assert.equal([at(reopened, 30), at(reopened, 54)], [false, false])
})

it('changes nobody else: what was folded before stays as it was', () => {
  const before = after([0, created()])
  const copy = structuredClone(before)
  evolve(before, event(approved('grace'), 2, START + 30 * HOUR))
  assert.equal(before, copy)
})

it('counts approvals for 24 hours from the first', () => {
  const activity = after([0, created()], [23, approved('grace')])
  assert.equal(namesAt(activity, 23.999), ['ada', 'grace'])
  assert.equal(namesAt(activity, 24), [])
  assert.is(hasLapsed(activity, START + 24 * HOUR - 1), false)
  assert.is(hasLapsed(activity, START + 24 * HOUR), true)
})

it('opens another 24 hours with the first approval after a lapse', () => {
  const activity = after([0, created()], [23, approved('grace')], [30, approved('joan')], [31, approved('ada')])
  assert.is(activity.windowStartedAtMs, START + 30 * HOUR)
  assert.equal(namesAt(activity, 31), ['joan', 'ada'])
  assert.equal(namesAt(activity, 53.9), ['joan', 'ada'])
  assert.equal(namesAt(activity, 54), [])
  assert.is(activity.votes.length, 4)
  const third = after([0, created()], [24, approved('grace')], [48, approved('joan')])
  assert.equal(namesAt(third, 48), ['joan'])
})

it('opens none with a rejection', () =>
  assert.is(after([0, created()], [30, rejected('joan')]).windowStartedAtMs, START))

it('has every approval of the window, and no rejection', () => {
  const activity = after([0, created()], [1, approved('grace')], [2, approved('grace')], [3, rejected('joan')])
  assert.equal(namesAt(activity, 4), ['ada', 'grace', 'grace']) // the rules say which of them count
})

it('goes by the order of votes, not by their times: a clock may be set back', () => {
  const activity = after([0, created()], [-1, approved('grace')], [30, approved('joan')], [29, approved('ada')])
  assert.equal(namesAt(after([0, created()], [-1, approved('grace')]), 0), ['ada', 'grace'])
  assert.equal(namesAt(activity, 31), ['joan', 'ada'])
})

it('begins with its creation', () => assert.throws(() => evolve(undefined, event(completed, 1, START))))

it.run()
