import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decodeUtf8, encodeUtf8 } from '../../../core/bytes.ts'
import type { Json } from '../../../core/failure.ts'
import { encodeEvent, type Event, type EventOf } from '../../../core/log/event.ts'
import { decodeLine, encodePartLine } from '../../../core/log/transcript-line.ts'
import { readMutated, writtenAgain } from './mutated-lines.ts'
import { oddEvent, text } from './odd-event.ts'

/*
 * Each value has one spelling. A line that is read has to be it: an honest line, one that was changed, and one that was made to deceive.
 */
const it = suite('a line of a transcript')

const agrees = (line: string): boolean => {
  const written = writtenAgain(line)
  if (written !== undefined) assert.is(written, line)
  return written !== undefined
}

/** Where a line is changed, and into what. */
const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  out: fc.nat(3),
  put: fc.constantFrom('', '"', '\\', ',', ' ', '0', '1', '-', '{', '}', 'null', '\\u0041', '"a":1,', 'é', '\u0001'),
})
const edited = (line: string, { at, out, put }: { at: number; out: number; put: string }): string => {
  const place = Math.floor(at * line.length)
  return (line.slice(0, place) + put + line.slice(place + out)).toWellFormed() // it may have cut a character in two
}

const isRead = (line: string): boolean => decodeLine(encodeUtf8(line))._tag !== 'unreadable'

const eventIn = (line: string): Event | undefined => {
  const read = decodeLine(encodeUtf8(line))
  return read._tag === 'event' ? read.event : undefined
}

it('is the one spelling of any event that is read of it', () => {
  let read = 0
  fc.assert(
    fc.property(oddEvent, (event) => {
      if (!agrees(lineOf(event))) return
      read += 1
      assert.equal(JSON.parse(plain(eventIn(lineOf(event)))), JSON.parse(plain(event)))
    }),
    { numRuns: 6000 },
  )
  assert.ok(read > 50, `only ${read} were read`)
})
const plain = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? `${member}n` : member))

it('is not read after a change, or is the one spelling of what it says now', () => {
  const { read, misread } = readMutated(1, 30_000)
  assert.equal(misread.slice(0, 3), [])
  assert.ok(read > 3_000, `only ${read} were read`)
})

it('is not read after a change of any event, or is the one spelling of what it says now', () =>
  fc.assert(
    fc.property(oddEvent, fc.array(edit, { minLength: 1, maxLength: 2 }), (event, edits) => {
      agrees(edits.reduce(edited, lineOf(event)))
    }),
    { numRuns: 1000 },
  ))

for (const [why, data] of [
  ['an unknown member', { type: 't', result: {}, change: {}, more: 1 }],
  ['members in another order', { type: 't', change: {}, result: {} }],
  ['a missing change', { type: 't', result: {} }],
  ['a type that is no text', { type: 1, result: {}, change: {} }],
  ['too deep a nesting', { type: 't', result: {}, change: JSON.parse('['.repeat(101) + ']'.repeat(101)) as Json }],
] as const)
  it(`is refused for a conclusion with ${why}`, () =>
    assert.not.ok(isRead(lineOf(completed).replace(DATA, JSON.stringify(data)))))

for (const [why, change] of [
  ['a second member of a name', (line: string) => line.replace('"change":{}', '"change":{},"change":{}')],
  ['white space', (line: string) => line.replace('"change":{}', '"change": {}')],
  ['another spelling of a number', (line: string) => line.replace('"change":{}', '"change":1e2')],
  ['parts that end the data', (line: string) => line.replace('"change":{}', '"change":{}},"parts":{}')],
  ['a byte order mark', (line: string) => `\ufeff${line}`],
  ['something behind it', (line: string) => `${line} `],
  ['another brace', (line: string) => `${line}}`],
  ['a number that begins with 0', (line: string) => line.replace('"version":1', '"version":01')],
  ['an unknown member around the data', (line: string) => line.replace('"data":', '"more":1,"data":')],
  ['an escape that need not be', (line: string) => line.replace('"type":"t"', '"type":"\\u0074"')],
] as const)
  it(`is refused with ${why}`, () => {
    assert.ok(isRead(lineOf(completed)))
    assert.not.ok(isRead(change(lineOf(completed))))
  })

for (const acted of [
  '"revision":0',
  '"revision":01',
  '"revision":1.5',
  '"revision":1,"limits":{"users":1,"users":1}',
  '"limits":{"users":1},"revision":1',
])
  it(`is refused with ${acted}`, () => {
    assert.not.ok(isRead(lineOf(completed).replace('"change":{}', `"change":{},${acted}`)))
    assert.not.ok(isRead(lineOf(created).replace('"factors":[]', `"factors":[],${acted}`)))
  })

for (const [why, change] of [
  ['something behind it', (line: string) => `${line} `],
  ['another brace', (line: string) => `${line}}`],
  ['a number that begins with 0', (line: string) => line.replace('"rules":1', '"rules":01')],
  ['an unknown member in its basis', (line: string) => line.replace('"rules":1', '"rules":1,"more":1')],
  ['an unknown member in what was read', (line: string) => line.replace('"sequence":"1"', '"sequence":"1","more":1')],
] as const)
  it(`is refused for a decision with ${why}`, () => {
    assert.equal(eventIn(lineOf(created)), created)
    assert.not.ok(isRead(change(lineOf(created))))
  })

it('gives an event that names its revision and its limits', () => {
  const { data } = completed
  const { decision, ...rest } = created.data
  for (const acted of [{ revision: 1 }, { revision: 12, limits: { expiringApiKeys: 10, users: 100 } }]) {
    const concluded = { ...completed, data: { ...data, ...acted } } as Event
    const decided = { ...created, data: { ...rest, decision: { ...decision, basis: { ...decision.basis, ...acted } } } }
    assert.equal(eventIn(lineOf(concluded)), concluded)
    assert.equal(eventIn(lineOf(decided)), decided)
  }
})

it('is the one spelling of any part that is read of it', () => {
  const anyPart = fc.record({
    name: text,
    salt: fc.uint8Array({ maxLength: 40 }),
    bytes: fc.uint8Array({ maxLength: 40 }),
  })
  let read = 0
  fc.assert(
    fc.property(text, anyPart, fc.array(edit, { maxLength: 1 }), (of, part, edits) => {
      const line = decodeUtf8(encodePartLine(of, part)) ?? ''
      assert.equal(decodeLine(encodeUtf8(line)), { _tag: 'part', of, part: { ...part } })
      if (agrees(edits.reduce(edited, line))) read += 1
    }),
    { numRuns: 3000 },
  )
  assert.ok(read > 50, `only ${read} were read`)
})

const lineOf = (event: Event): string => decodeUtf8(encodeEvent(event)) ?? ''

const completed: Event = {
  organization: '5b2b9e06-9f0b-4f3f-8c9b-0a5b6a1f2c3d',
  sequence: 2n,
  activity: 'b1235103-ff80-8706-8980-45ebe2f9f13b',
  revision: 2n,
  version: 1,
  id: '019ab2c3-0d4e-7f50-8a61-72839405a6b7',
  at: '2026-01-01T00:00:00.000Z',
  previous: '0',
  parts: {},
  type: 'ActivityCompleted',
  data: { type: 't', result: {}, change: {}, revision: 1 },
}

const DATA = JSON.stringify(completed.data)

const created: EventOf<'ActivityCreated'> = {
  ...completed,
  parts: { request: 'a1' },
  type: 'ActivityCreated',
  data: {
    type: 't',
    requester: 'r',
    fingerprint: 'f',
    decision: {
      verdict: { outcome: 'ALLOWED', rule: 'policies', evaluations: [] },
      basis: {
        rules: 1,
        generation: 1,
        read: [{ organization: 'o', sequence: '1' }],
        at: 'a',
        credential: 'c',
        scheme: 's',
        address: null,
        factors: [],
        revision: 1,
      },
    },
  },
}

const names = ['organization', 'activity', 'id'] as const
const noIds = fc.oneof(
  text.filter((id) => !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)),
  fc.uuid().map((id) => id.replace(/.$/, 'A')),
  fc.constantFrom(
    '',
    'everything holds',
    '{5b2b9e06-9f0b-4f3f-8c9b-0a5b6a1f2c3d}',
    '5b2b9e06-9f0b-4f3f-8c9b-0a5b6a1f2c3d ',
    '5b2b9e06-9f0b-4f3f-8c9b-0a5b6a1f2c3d\n',
    '5b2b9e069f0b4f3f8c9b0a5b6a1f2c3d',
    '٥b2b9e06-9f0b-4f3f-8c9b-0a5b6a1f2c3d',
  ),
)

it('is refused where organization, activity or id is no UUID in lower case', () =>
  fc.assert(
    fc.property(oddEvent, fc.constantFrom(...names), noIds, (event, name, id) => {
      for (const named of [event, completed].map((one) => ({ ...one, [name]: id })))
        assert.is(decodeLine(encodeEvent(named))._tag, 'unreadable')
    }),
    { numRuns: 500 },
  ))

it('is refused with what such an id should be', () => {
  for (const name of names) {
    const message = 'expected organization, activity and id to be UUIDs in lower case'
    const unreadable = { _tag: 'unreadable', code: 'LINE_UNREADABLE', message }
    assert.equal(decodeLine(encodeEvent({ ...completed, [name]: 'everything holds' })), unreadable)
  }
})

it('gives an ordinary conclusion', () => assert.equal(eventIn(lineOf(completed)), completed))

it.run()
