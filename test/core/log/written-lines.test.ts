import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decodeUtf8, encodeUtf8 } from '../../../core/bytes.ts'
import type { Json } from '../../../core/failure.ts'
import { encodeEvent, type Event, type Happening } from '../../../core/log/event.ts'
import { decodeAnyLine, decodeLine, encodePartLine } from '../../../core/log/transcript-line.ts'
import { readWritten } from '../../../core/log/written-event.ts'
import { readWrittenPart } from '../../../core/log/written-part.ts'
import { compareMutated } from './mutated-lines.ts'

/*
 * Lines are read by their form where that can be done, and by parsing JSON where not. What the short way reads, the long
 * way must read alike: of an honest line, of one that was changed, and of one that was made to deceive.
 */
const it = suite('lines read by their form')

const text = fc.oneof(
  { weight: 80, arbitrary: fc.uuid() },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }) },
  { weight: 1, arbitrary: fc.constantFrom('"', '\\', '\u0000', '\u2028', 'é', '{}', '","id":"', '__proto__') },
)
const anyJson = fc.jsonValue().map((value) => value as Json)
const outcome = fc.constantFrom('ALLOWED', 'CONSENSUS_NEEDED', 'DENIED', 'REJECTED')
const evaluation = fc.record({ policyId: text, outcome: fc.constantFrom('OUTCOME_ALLOW', 'OUTCOME_ERROR') })
const often = <A>(usual: fc.Arbitrary<A>, other: fc.Arbitrary<A>): fc.Arbitrary<A> =>
  fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: other })
const place = fc.record({ organization: text, sequence: text }, { noNullPrototype: true })
const inBasis = {
  rules: often(fc.nat(20), fc.double({ noNaN: true, noDefaultInfinity: true })),
  read: often(fc.tuple(place), fc.array(place, { maxLength: 2 })),
  at: text,
  credential: text,
  scheme: text,
  address: fc.option(text),
  factors: often(fc.constant<string[]>([]), fc.array(text)),
}
const limits = fc.record({ users: fc.nat() }, { noNullPrototype: true })
const basis = often<object>(
  fc.record(inBasis, { noNullPrototype: true }),
  fc.record({ ...inBasis, limits }, { noNullPrototype: true }),
)
const verdict = fc.record(
  {
    outcome,
    rule: fc.constantFrom('policies', 'root-quorum', 'vote'),
    evaluations: fc.array(evaluation, { maxLength: 3 }),
  },
  { noNullPrototype: true },
)
const decision = fc.record({ verdict, basis }, { noNullPrototype: true })
const happening: fc.Arbitrary<Happening> = fc
  .oneof(
    fc.record({
      type: fc.constant('ActivityCreated'),
      data: fc.record({ type: text, requester: text, fingerprint: text, decision }),
    }),
    fc.record({
      type: fc.constant('ActivityVoted'),
      data: fc.record({ user: text, selection: fc.constant('VOTE_SELECTION_APPROVED'), decision }),
    }),
    fc.record({
      type: fc.constant('ActivityCompleted'),
      data: fc.record(
        { type: text, result: anyJson, change: anyJson, performed: anyJson },
        { requiredKeys: ['type', 'result', 'change'] },
      ),
    }),
    fc.record({ type: fc.constant('ActivityStarted'), data: fc.record({ attempt: fc.nat(), resumeAt: text }) }),
  )
  .map((made) => made as Happening) // built as its codec says
const anyEvent: fc.Arbitrary<Event> = fc
  .tuple(
    fc.record({
      organization: text,
      sequence: fc.bigInt({ min: 1n, max: 10n ** 19n }),
      activity: text,
      revision: fc.bigInt({ min: 1n, max: 10n ** 19n }),
      version: fc.constantFrom(1, 1, 1, 2),
      id: text,
      at: text,
      previous: text,
      parts: fc.constantFrom({}, { request: 'a1' }, { request: 'a1' }, { other: 'a1' }, { request: '"', other: '' }),
    }),
    happening,
  )
  .map(([envelope, happened]) => ({ ...envelope, ...happened }))

/** What the long way makes of the line. */
const parsed = (line: string): unknown => {
  const bytes = encodeUtf8(line)
  const read = decodeAnyLine(bytes, line)
  return read._tag === 'event' ? read.event : read
}

const agrees = (line: string): boolean => {
  const event = readWritten(line)
  if (event !== undefined) assert.equal(JSON.parse(plain(event)), JSON.parse(plain(parsed(line))), line)
  return event !== undefined
}
const plain = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? `${member}n` : member))

/** Where a line is changed, and into what. */
const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  out: fc.nat(3),
  put: fc.constantFrom('', '"', '\\', ',', ' ', '0', '1', '-', '{', '}', 'null', '\\u0041', '"a":1,', 'é', '\u0001'),
})
const edited = (line: string, { at, out, put }: { at: number; out: number; put: string }): string => {
  const place = Math.floor(at * line.length)
  return line.slice(0, place) + put + line.slice(place + out)
}

it('reads every event as parsing does, or leaves it to that', () => {
  let read = 0
  fc.assert(
    fc.property(anyEvent, (event) => {
      if (agrees(lineOf(event))) read += 1
    }),
    { numRuns: 2000 },
  )
  assert.ok(read > 50, `only ${read} were read`)
})

it('reads what was changed in a line as parsing does, or leaves it to that', () => {
  const { read, disagreements } = compareMutated(1, 30_000)
  assert.equal(disagreements.slice(0, 3), [])
  assert.ok(read > 3_000, `only ${read} were read`)
})

it('reads what was changed in any event as parsing does, or leaves it to that', () =>
  fc.assert(
    fc.property(anyEvent, fc.array(edit, { minLength: 1, maxLength: 2 }), (event, edits) => {
      agrees(edits.reduce(edited, lineOf(event)))
    }),
    { numRuns: 1000 },
  ))

for (const [why, data] of [
  ['an unknown member', { type: 't', result: {}, change: {}, more: 1 }],
  ['a missing change', { type: 't', result: {} }],
  ['a type that is no text', { type: 1, result: {}, change: {} }],
  ['too deep a nesting', { type: 't', result: {}, change: JSON.parse('['.repeat(101) + ']'.repeat(101)) as Json }],
] as const)
  it(`leaves a conclusion with ${why} to parsing`, () =>
    assert.is(readWritten(lineOf(completed).replace(DATA, JSON.stringify(data))), undefined))

for (const [why, change] of [
  ['a second member of a name', (line: string) => line.replace('"change":{}', '"change":{},"change":{}')],
  ['white space', (line: string) => line.replace('"change":{}', '"change": {}')],
  ['another spelling of a number', (line: string) => line.replace('"change":{}', '"change":1e2')],
  ['parts that end the data', (line: string) => line.replace('"change":{}', '"change":{}},"parts":{}')],
  ['a byte order mark', (line: string) => `\ufeff${line}`],
  ['something behind it', (line: string) => `${line} `],
] as const)
  it(`leaves a line with ${why} to parsing`, () => assert.is(readWritten(change(lineOf(completed))), undefined))

it('leaves a decision to parsing that has something behind it, or a number that begins with 0', () => {
  const line = lineOf(created)
  assert.equal(readWritten(line), created)
  for (const wrong of [`${line} `, `${line}}`, line.replace('"rules":1', '"rules":01')])
    assert.is(readWritten(wrong), undefined)
})

it('reads every part as parsing does, or leaves it to that', () => {
  const anyPart = fc.record({
    name: text,
    salt: fc.uint8Array({ maxLength: 40 }),
    bytes: fc.uint8Array({ maxLength: 40 }),
  })
  let read = 0
  fc.assert(
    fc.property(text, anyPart, fc.array(edit, { maxLength: 1 }), (of, part, edits) => {
      const line = edits.reduce(edited, decodeUtf8(encodePartLine(of, part)) ?? '')
      const written = readWrittenPart(encodeUtf8(line))
      if (written === undefined) return
      read += 1
      assert.equal(decodeAnyLine(encodeUtf8(line), line), { _tag: 'part', ...written })
    }),
    { numRuns: 3000 },
  )
  assert.ok(read > 50, `only ${read} were read`)
})

it('reads an ordinary part, with salt and bytes as they are hashed', () => {
  const part = { name: 'request', salt: new Uint8Array(32).fill(1), bytes: encodeUtf8('{}') }
  const read = readWrittenPart(encodePartLine('id', part))
  assert.equal(read, { of: 'id', part })
  assert.is(read?.part.salt.buffer, read?.part.bytes.buffer)
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
  data: { type: 't', result: {}, change: {} },
}

const DATA = JSON.stringify(completed.data)

const created: Event = {
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
        read: [{ organization: 'o', sequence: '1' }],
        at: 'a',
        credential: 'c',
        scheme: 's',
        address: null,
        factors: [],
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

it('reads no event whose organization, activity or id is no UUID in lower case, on either way', () =>
  fc.assert(
    fc.property(anyEvent, fc.constantFrom(...names), noIds, (event, name, id) => {
      for (const named of [event, completed].map((one) => ({ ...one, [name]: id }))) {
        assert.is(readWritten(lineOf(named)), undefined)
        assert.is(decodeLine(encodeEvent(named))._tag, 'unreadable')
      }
    }),
    { numRuns: 500 },
  ))

it('says of such an id what it should be', () => {
  for (const name of names) {
    const message = 'expected organization, activity and id to be UUIDs in lower case'
    const unreadable = { _tag: 'unreadable', code: 'LINE_UNREADABLE', message }
    assert.equal(decodeLine(encodeEvent({ ...completed, [name]: 'everything holds' })), unreadable)
  }
})

it('reads an ordinary conclusion', () => assert.equal(readWritten(lineOf(completed)), completed))

it.run()
