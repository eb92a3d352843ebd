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
  data: { attempt: 1, resumeAt: '2026-01-01T00:01:00.000Z' },
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
  read: [],
  at: event.at,
  credential: 'c',
  scheme: 'SIGNATURE_SCHEME_TK_API_P256',
  factors: [],
}
const verdict = { outcome: 'ALLOWED', rule: 'policies', evaluations: [] } as const

/** The line of an event with a decision: of a version, with what its basis and its data have beside the usual. */
const decisionLine = (type: EventType, version: number, said: { readonly address?: Json }, more: JsonObject = {}) => {
  const decision = { verdict, basis: { ...basis, ...said } }
  const asked = type === 'ActivityCreated' ? { type: 'T', requester: 'u', fingerprint: 'f' } : {}
  const voted = type === 'ActivityVoted' ? { user: 'u', selection: 'VOTE_SELECTION_APPROVED' } : {}
  return decodeEvent(
    encodeUtf8(JSON.stringify({ ...inText(event), type, version, data: { ...asked, ...voted, decision, ...more } })),
  )
}
type JsonObject = { readonly [member: string]: Json }
const inText = ({ sequence, revision, ...rest }: Event) => ({
  ...rest,
  sequence: `${sequence}`,
  revision: `${revision}`,
})

for (const type of ['ActivityCreated', 'ActivityVoted'] as const) {
  it(`reads an ${type} of version 1 with its address, and one of version 2 without`, () => {
    for (const [version, said] of [
      [1, { address: '192.0.2.7' }],
      [1, { address: null }],
      [2, { address: null }],
      [2, {}],
    ] as const) {
      const read = right(decisionLine(type, version, said))
      assert.equal(
        [read.version, 'decision' in read.data && read.data.decision.basis],
        [version, { ...basis, ...said }],
      )
    }
  })

  it(`reads whose data the request of an ${type} has, since version 2`, () => {
    const read = right(decisionLine(type, 2, {}, { subjects: ['ada', 'eve'] }))
    assert.equal('subjects' in read.data && read.data.subjects, ['ada', 'eve'])
    for (const subjects of ['ada', [1], null, {}])
      assert.is(codeOf(decisionLine(type, 2, {}, { subjects })), 'STORE_UNREADABLE')
  })

  it(`refuses an ${type} in the form of another version`, () => {
    for (const refused of [
      decisionLine(type, 1, {}),
      decisionLine(type, 1, { address: null }, { subjects: ['ada'] }),
      decisionLine(type, 1, { address: null }, { subjects: [] }),
      decisionLine(type, 2, { address: '192.0.2.7' }),
      decisionLine(type, 2, { address: '' }),
      decisionLine(type, 2, { address: 1 }),
    ])
      assert.is(codeOf(refused), 'STORE_UNREADABLE')
  })
}

it('closes an organization on a version that is later than that of its type', () => {
  for (const [type, version] of Object.entries(eventVersions)) {
    const line = JSON.stringify({ ...inText(event), type, version: version + 1 })
    assert.is(codeOf(decodeEvent(encodeUtf8(line))), 'ORGANIZATION_CLOSED', type)
  }
  assert.equal(eventVersions, {
    ActivityCreated: 2,
    ActivityVoted: 2,
    ActivityStarted: 1,
    ActivityCompleted: 2,
    ActivityFailed: 1,
  })
})

it('reads a conclusion of version 1 and of version 2 alike', () => {
  for (const version of [1, 2]) {
    const data = { type: 'T', result: null, change: { userName: version === 1 ? 'Ada' : null } }
    const read = right(
      decodeEvent(encodeUtf8(JSON.stringify({ ...inText(event), type: 'ActivityCompleted', version, data }))),
    )
    assert.equal([read.version, read.data], [version, data])
  }
})

it('knows the members of both versions, in their order, and no others', () => {
  const known = (version: number, basisNow: JsonObject, more: JsonObject = {}): boolean => {
    const data = { type: 'T', requester: 'u', fingerprint: 'f', decision: { verdict, basis: basisNow }, ...more }
    const { sequence, revision, id, at, previous, parts, organization, activity } = inText(event)
    const line = {
      organization,
      sequence,
      activity,
      revision,
      type: 'ActivityCreated',
      version,
      id,
      at,
      previous,
      data,
      parts,
    }
    return hasKnownMembers(right(decodeEvent(encodeUtf8(JSON.stringify(line)))), line)
  }
  const { factors, ...before } = basis
  assert.is(known(1, { ...before, address: '192.0.2.7', factors }), true)
  assert.is(known(2, { ...before, address: null, factors }), true)
  assert.is(known(2, { ...before, factors }, { subjects: ['ada'] }), true)
  assert.is(known(2, { ...before, factors, address: null }), false, 'another order')
  assert.is(known(2, { ...before, factors }, { other: 1 }), false)
  assert.is(known(1, { ...before, address: null, factors }, { other: 1 }), false)
})

it.run()
