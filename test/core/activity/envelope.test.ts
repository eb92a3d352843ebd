import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isForActivity, parseEnvelope, textWantsProofs, timestampOf } from '../../../core/activity/envelope.ts'
import { encodeUtf8 } from '../../../core/bytes.ts'
import type { Json } from '../../../core/failure.ts'
import { E } from '../../../core/prelude.ts'
import { right } from '../world/world.ts'

const it = suite('envelope')

const organizationId = '0b0f1f6e-7a57-4c0a-9d5e-5a3d1f1b2c3d'
const body = {
  organizationId,
  type: 'ACTIVITY_TYPE_CREATE_USER_TAG',
  timestampMs: '1767225600000',
  parameters: { userTagName: 'ops' },
}
const read = (json: Json) => parseEnvelope(encodeUtf8(JSON.stringify(json)))
const refusal = (json: Json): string => {
  const envelope = read(json)
  return E.isLeft(envelope) ? `${envelope.left.code}: ${envelope.left.message}` : 'accepted'
}
const without = (name: keyof typeof body): Json =>
  Object.fromEntries(Object.entries(body).filter(([other]) => other !== name))

it('says what was asked, and nothing of other members', () =>
  assert.equal(right(read({ ...body, other: 1 })), { ...body, timestampMs: 1767225600000 }))

it('has the organization in lower case', () =>
  assert.is(right(read({ ...body, organizationId: organizationId.toUpperCase() })).organizationId, organizationId))

it('names an organization before anything else of it is looked at', () => {
  for (const other of [null, [], 'text', {}, { organizationId: 1 }, { organizationId: '' }, without('organizationId')])
    assert.match(refusal(other), /^INVALID_ORGANIZATION_ID: /)
  assert.match(refusal({ organizationId: `${organizationId}0`, type: 1 }), /^INVALID_ORGANIZATION_ID: /)
})

it('names the first member that is missing, or of another kind', () => {
  for (const [json, member] of [
    [{ organizationId }, 'type'],
    [{ ...body, type: '' }, 'type'],
    [{ ...body, type: 1 }, 'type'],
    [{ ...body, type: ['ACTIVITY_TYPE_CREATE_USER_TAG'] }, 'type'],
    [without('timestampMs'), 'timestampMs'],
    [{ ...body, timestampMs: null }, 'timestampMs'],
    [without('parameters'), 'parameters'],
  ] as const)
    assert.match(refusal(json), new RegExp(`^REQUEST_INVALID: invalid request body at ${member}: `))
})

it('knows of a text whether it wants proofs, however its member is written', () => {
  const texts = [
    '{"generateAppProofs":true}',
    '{"generateAppProof\\u0073":true}',
    '{"generateAppProofs":false}',
    '{"a":"generateAppProofs"}',
  ]
  assert.equal(texts.map(textWantsProofs), [true, true, false, false])
  assert.is(textWantsProofs(''), false) // it was erased
})

it('takes a time in whole milliseconds since the epoch, as digits or as a number', () => {
  for (const ms of [0, 1, 1767225600000, 999_999_999_999_999])
    assert.equal([timestampOf({ timestampMs: ms }), timestampOf({ timestampMs: String(ms) })], [ms, ms])
  const texts = ['', ' ', '-1', '+1', '01', '00', '1.0', '1e3', '0x10', ' 1', '1 ', '1\n', '1000000000000000']
  const others = [-1, 0.5, 2 ** 53, 1e300, true, null, [1], { ms: 1 }]
  for (const timestampMs of [...texts, ...others])
    assert.is(timestampOf({ timestampMs }), undefined, JSON.stringify(timestampMs))
})

it('is for an activity where its type begins like that of one', () => {
  assert.equal(
    [body, { type: 'ACTIVITY_TYPE_' }, { type: 'AN_ACTIVITY_TYPE_' }, { type: 1 }, {}, null].map(isForActivity),
    [true, true, false, false, false, false],
  )
})

it('is read or refused, whatever the JSON', () =>
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (other, timestampMs) => {
      read(JSON.parse(JSON.stringify(other)) as Json)
      read({ ...body, timestampMs: JSON.parse(JSON.stringify(timestampMs)) as Json })
    }),
  ))

it.run()
