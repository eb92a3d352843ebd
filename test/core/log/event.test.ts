import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decodeUtf8, encodeUtf8 } from '../../../core/bytes.ts'
import type { Json } from '../../../core/failure.ts'
import {
  decodeEvent,
  encodeEvent,
  eventVersions,
  hasKnownMembers,
  type Event,
  type EventType,
} from '../../../core/log/event.ts'
import { E } from '../../../core/prelude.ts'
import { codeOf, right } from '../world/world.ts'

const it = suite('event')

const event: Event = {
  organization: '5b2b9e06-9f0b-4f3f-8c9b-0a5b6a1f2c3d',
  sequence: 3n,
  activity: 'b1235103-ff80-8706-8980-45ebe2f9f13b',
  revision: 2n,
  version: 1,
  id: '019ab2c3-0d4e-7f50-8a61-72839405a6b7',
  at: '2026-01-01T00:00:00.000Z',
  previous: '0'.repeat(64),
  parts: {},
  type: 'ActivityStarted',
  data: { attempt: 1, resumeAt: '2026-01-01T00:01:00.000Z', revision: 1 },
}

const decoded = (change: (line: string) => string) =>
  decodeEvent(encodeUtf8(change(decodeUtf8(encodeEvent(event)) ?? '')))

it('reads what it writes', () => assert.equal(right(decoded((line) => line)), event))

it('closes an organization on a version that there is not, later or earlier', () => {
  for (const version of ['0', '-1', '2', '1.5'])
    assert.is(
      codeOf(decoded((line) => line.replace('"version":1', `"version":${version}`))),
      'ORGANIZATION_CLOSED',
      version,
    )
})

it('closes it on a type that it does not know', () =>
  assert.is(codeOf(decoded((line) => line.replace('ActivityStarted', 'ActivityStopped'))), 'ORGANIZATION_CLOSED'))

it('refuses what is no event', () => {
  assert.is(codeOf(decoded(() => '{}')), 'STORE_UNREADABLE')
  assert.is(codeOf(decoded((line) => line.replace('"attempt":1', '"attempt":"1"'))), 'STORE_UNREADABLE')
})

const basis = {
  rules: 2,
  generation: 1,
  read: [],
  at: event.at,
  credential: 'c',
  scheme: 'SIGNATURE_SCHEME_TK_API_P256',
  factors: [],
  revision: 1,
}
const verdict = { outcome: 'ALLOWED', rule: 'policies', evaluations: [] } as const

/** The line of an event with a decision, with what its basis and its data have beside the usual. */
const decisionLine = (
  type: EventType,
  said: { readonly [member: string]: Json | undefined },
  more: JsonObject = {},
) => {
  const decision = { verdict, basis: { ...basis, ...said } }
  const asked = type === 'ActivityCreated' ? { type: 'T', requester: 'u', fingerprint: 'f' } : {}
  const voted = type === 'ActivityVoted' ? { user: 'u', selection: 'VOTE_SELECTION_APPROVED' } : {}
  return decodeEvent(
    encodeUtf8(JSON.stringify({ ...inText(event), type, data: { ...asked, ...voted, decision, ...more } })),
  )
}
type JsonObject = { readonly [member: string]: Json }
const inText = ({ sequence, revision, ...rest }: Event) => ({
  ...rest,
  sequence: `${sequence}`,
  revision: `${revision}`,
})

for (const type of ['ActivityCreated', 'ActivityVoted'] as const) {
  it(`reads an ${type} of a request from nowhere, and one whose address stands in a part`, () => {
    for (const said of [{ address: null }, {}]) {
      const read = right(decisionLine(type, said))
      assert.equal('decision' in read.data && read.data.decision.basis, { ...basis, ...said })
    }
    for (const address of ['192.0.2.7', '', 1]) assert.is(codeOf(decisionLine(type, { address })), 'STORE_UNREADABLE')
  })

  it(`reads whose data the request of an ${type} has`, () => {
    const read = right(decisionLine(type, {}, { subjects: ['ada', 'eve'] }))
    assert.equal('subjects' in read.data && read.data.subjects, ['ada', 'eve'])
    for (const subjects of ['ada', [1], null, {}])
      assert.is(codeOf(decisionLine(type, {}, { subjects })), 'STORE_UNREADABLE')
  })

  it(`refuses an ${type} without the generation of the catalogue, or the revision of its operation`, () => {
    for (const missing of [{ generation: undefined }, { revision: undefined }, { generation: 0 }, { revision: 1.5 }])
      assert.is(codeOf(decisionLine(type, missing)), 'STORE_UNREADABLE')
  })
}

it('brings older data into the form of today, one version after the other', () => {
  const ActivityStarted = [
    (data: Json) => ({ ...(data as JsonObject), attempt: 7 }),
    (data: Json) => ({ ...(data as JsonObject), revision: 2 }),
  ]
  const dataOf = (version: number) => {
    const line = encodeUtf8(JSON.stringify({ ...inText(event), version, data: { resumeAt: event.at } }))
    return E.map(({ data }: Event) => data)(decodeEvent(line, { ActivityStarted }))
  }
  assert.equal(right(dataOf(1)), { resumeAt: event.at, attempt: 7, revision: 2 })
  assert.is(codeOf(dataOf(2)), 'STORE_UNREADABLE') // its form is not that of version 2
  assert.is(codeOf(dataOf(4)), 'ORGANIZATION_CLOSED')
})

it('closes an organization on a version that is later than that of its type', () => {
  for (const [type, version] of Object.entries(eventVersions)) {
    const line = JSON.stringify({ ...inText(event), type, version: version + 1 })
    assert.is(codeOf(decodeEvent(encodeUtf8(line))), 'ORGANIZATION_CLOSED', type)
  }
  assert.equal(eventVersions, {
    ActivityCreated: 1,
    ActivityVoted: 1,
    ActivityStarted: 1,
    ActivityCompleted: 1,
    ActivityFailed: 1,
  })
})

it('knows the members of an event, in their order, and no others', () => {
  const known = (basisNow: JsonObject, more: JsonObject = {}): boolean => {
    const data = { type: 'T', requester: 'u', fingerprint: 'f', decision: { verdict, basis: basisNow }, ...more }
    const { sequence, revision, id, at, previous, parts, organization, activity } = inText(event)
    const line = {
      organization,
      sequence,
      activity,
      revision,
      type: 'ActivityCreated',
      version: 1,
      id,
      at,
      previous,
      data,
      parts,
    }
    return hasKnownMembers(right(decodeEvent(encodeUtf8(JSON.stringify(line)))), line)
  }
  const { factors, revision, ...before } = basis
  assert.is(known({ ...before, address: null, factors, revision }), true)
  assert.is(known({ ...before, factors, revision }, { subjects: ['ada'] }), true)
  assert.is(known({ ...before, factors, revision, address: null }), false, 'another order')
  assert.is(known({ ...before, factors, revision }, { leftOutBytes: 70_000 }), true)
  assert.is(
    known({ ...before, factors, revision }, { leftOutBytes: 70_000, subjects: ['ada'] }),
    false,
    'another order',
  )
  assert.is(known({ ...before, factors, revision }, { other: 1 }), false)
})

it.run()
