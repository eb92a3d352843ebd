import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { submitEnvelope } from '../../../adapters/http/submit-envelope.ts'
import { orThrow as right } from '../../../core/countersign-error.ts'
import { dateTime } from '../../../core/codec/timestamp.ts'
import { failureCodes, type FailureCode } from '../../../core/failure-codes.ts'
import { hostFailure, type Failure } from '../../../core/failure.ts'
import { E } from '../../../core/prelude.ts'
import { renderActivity, type ActivityView } from '../../../core/view/activity-view.ts'
import { failureView } from '../../../core/view/failure-view.ts'
import { readActivity, readFailure } from '../../../core/view/read-activity.ts'

const it = suite('an activity, read from an answer')

const PLAIN = { noNullPrototype: true } as const

const failures = fc.oneof(
  fc.record(
    {
      code: fc.constantFrom(...(Object.keys(failureCodes) as readonly FailureCode[])), // its own names
      message: fc.string(),
    },
    PLAIN,
  ),
  fc.string().map((message) => hostFailure('PARCEL_LOST', 'CONFLICT', message)),
  fc.string().map((message) => hostFailure('PARCEL_LOST', 'CONFLICT', message, [{ parcel: 1 }, 'text'])),
)

const PROOF = {
  scheme: 'SIGNATURE_SCHEME_EPHEMERAL_KEY_P256',
  publicKey: '04',
  proofPayload: '{}',
  signature: '00',
} as const

const views: fc.Arbitrary<ActivityView> = fc.record(
  {
    id: fc.uuid(),
    organizationId: fc.uuid(),
    status: fc.constantFrom('ACTIVITY_STATUS_COMPLETED', 'ACTIVITY_STATUS_FAILED', 'ACTIVITY_STATUS_PENDING'),
    type: fc.constant('ACTIVITY_TYPE_CREATE_USER_TAG'),
    intent: fc.constant({ createUserTagIntent: { userTagName: 'x' } }),
    result: fc.constantFrom({}, { createUserTagResult: { userTagId: 'x' } }),
    votes: fc.constant([
      {
        id: 'v',
        userId: 'u',
        user: {},
        activityId: crypto.randomUUID(),
        selection: 'VOTE_SELECTION_APPROVED' as const,
        message: '',
        publicKey: '',
        signature: '',
        scheme: '',
        createdAtMs: 1_790_000_000_123,
      },
    ]),
    fingerprint: fc.string(),
    canApprove: fc.boolean(),
    canReject: fc.boolean(),
    appProofs: fc.constantFrom([], [PROOF]),
    createdAtMs: fc.integer({ min: 0, max: 4_000_000_000_000 }),
    updatedAtMs: fc.integer({ min: 0, max: 4_000_000_000_000 }),
    failure: fc.option<Failure, undefined>(failures, { nil: undefined }),
  },
  PLAIN,
)

it('is the activity that was shown, in every form of the wire', () => {
  fc.assert(
    fc.property(views, (view) => {
      const envelope = JSON.parse(submitEnvelope({ ...view, requestedAtMs: 0 })) as { readonly activity: unknown }
      assert.equal(right(readActivity(envelope.activity)), view)
      const shown = JSON.parse(JSON.stringify(renderActivity(view))) as object
      const texts = { createdAt: dateTime(view.createdAtMs), updatedAt: dateTime(view.updatedAtMs) }
      for (const form of [shown, { ...shown, ...texts }]) assert.equal(right(readActivity(form)), view)
    }),
  )
})

it('is refused, and never thrown at, where it is anything else', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (json) => {
      assert.ok(E.isLeft(readActivity(json)))
    }),
  )
})

it('has the exact code of its failure; of another server, one with the same number', () => {
  fc.assert(fc.property(failures, (failure) => assert.equal(readFailure(failureView(failure)), failure)))
  assert.equal(readFailure({ code: 5, message: 'no', details: [] }), {
    code: 'ORGANIZATION_NOT_FOUND',
    message: 'no',
  })
  assert.is(readFailure({ code: 4711, message: 'no', details: ['x', null, 7] }).code, 'INTERNAL')
})

it.run()
