import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { submitEnvelope, SubmittedActivity } from '../../../adapters/http/submit-envelope.ts'
import { decode } from '../../../core/codec/codec.ts'
import { dateTime } from '../../../core/codec/timestamp.ts'
import { failure, type Json } from '../../../core/failure.ts'
import { E } from '../../../core/prelude.ts'
import { renderActivity, type SubmittedView, type VoteView } from '../../../core/view/activity-view.ts'
import { anyView } from './fake-engine.ts'

const it = suite('the submit envelope')

it('is the activity, with the time of the request in milliseconds, and in its result the activity of the specification', () => {
  const { id, organizationId, type, intent, fingerprint } = anyView()
  const result = anyView().result
  const shared = { id, organizationId, status: 'ACTIVITY_STATUS_COMPLETED', type, intent, votes: [], fingerprint }
  assert.equal(JSON.parse(submitEnvelope(anyView())), {
    activity: {
      ...shared,
      canApprove: false,
      canReject: false,
      appProofs: [],
      createdAt: { seconds: '1763600000', nanos: '123000000' },
      updatedAt: { seconds: '1763600060', nanos: '456000000' },
      failure: null,
      timestampMs: '1763599999999',
      result: {
        ...result,
        activity: {
          ...shared,
          result,
          canApprove: false,
          canReject: false,
          createdAt: '2025-11-20T00:53:20.123Z',
          updatedAt: '2025-11-20T00:54:20.456Z',
        },
      },
    },
  })
})

it('is as its codec says, before completion and after', () => {
  const waiting = anyView({ status: 'ACTIVITY_STATUS_CONSENSUS_NEEDED', result: {} })
  for (const view of [anyView(), waiting, anyView({ failure: failure('CONFLICT', 'try again') })]) {
    const { activity } = JSON.parse(submitEnvelope(view)) as Envelope
    assert.equal(decode(SubmittedActivity, 'activity')(activity), E.right(activity))
  }
})

it('has a result with nothing but the activity before completion', () => {
  const view = anyView({ status: 'ACTIVITY_STATUS_CONSENSUS_NEEDED', result: {} })
  const { activity } = JSON.parse(submitEnvelope(view)) as Envelope
  assert.equal(Object.keys(activity.result), ['activity'])
  assert.equal(activity.result.activity.result, {})
})

it('shows the failure of a failed activity', () => {
  const view = anyView({ status: 'ACTIVITY_STATUS_FAILED', result: {}, failure: failure('CONFLICT', 'try again') })
  const { activity } = JSON.parse(submitEnvelope(view)) as Envelope
  assert.is((activity.failure as { message: string }).message, 'try again')
})

it('is what rendering the activity twice would give', () => {
  const text = fc.string({ unit: 'binary' })
  const anyJson = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json> // what it makes is JSON
  const members = fc.dictionary(text, anyJson, { maxKeys: 3 })
  const vote: fc.Arbitrary<VoteView> = fc.record({
    id: text,
    userId: text,
    user: members,
    activityId: text,
    selection: fc.constantFrom('VOTE_SELECTION_APPROVED', 'VOTE_SELECTION_REJECTED'),
    message: text,
    publicKey: text,
    signature: text,
    scheme: text,
    createdAtMs: fc.nat(),
  })
  const result = fc.oneof(fc.constant({}), fc.record({ createUsersResult: members }))
  fc.assert(
    fc.property(
      members,
      result,
      fc.array(vote, { maxLength: 3 }),
      fc.nat(),
      fc.nat(),
      (intent, result, votes, createdAtMs, requestedAtMs) => {
        const view = anyView({ intent, result, votes, createdAtMs, requestedAtMs })
        assert.equal(JSON.parse(submitEnvelope(view)), JSON.parse(JSON.stringify(plainly(view))))
      },
    ),
  )
})

type Envelope = {
  readonly activity: { readonly failure: unknown; readonly result: { readonly activity: { readonly result: unknown } } }
}

const specified = new Set(
  'id organizationId status type intent result votes fingerprint canApprove canReject createdAt updatedAt'.split(' '),
)

const plainly = (view: SubmittedView) => {
  const inner = Object.fromEntries(
    Object.entries({
      ...renderActivity(view),
      createdAt: dateTime(view.createdAtMs),
      updatedAt: dateTime(view.updatedAtMs),
    }).filter(([name]) => specified.has(name)),
  )
  const timestampMs = String(view.requestedAtMs)
  const result = { ...view.result, activity: inner }
  return { activity: { ...renderActivity(view), appProofs: [], timestampMs, result } }
}

it.run()
