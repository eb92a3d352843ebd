import fc from 'fast-check'
import * as t from 'io-ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { decodeUtf8, encodeUtf8 } from '../../../core/bytes.ts'
import { beforeFirst, link } from '../../../core/log/chain.ts'
import { arePartNames, isPartName, namesParts, noParts, PARTS_MAX, partsOf, readPart } from '../../../core/log/parts.ts'
import type { Finding } from '../../../core/log/finding.ts'
import { transcriptCheck } from '../../../core/log/transcript-check.ts'
import { decodeLine } from '../../../core/log/transcript-line.ts'
import { digest } from '../audit/logs.ts'

const it = suite('parts of an event')

it('have names of lower-case letters, digits, dots, underscores and hyphens, which begin with a letter', () => {
  for (const name of ['a', 'bundle', 'personal.b1235103-ff80-8706-8980-45ebe2f9f13b', 'a_1', 'x'.repeat(80)])
    assert.ok(isPartName(name), name)
  for (const name of ['', '__proto__', '1', '.a', '-', 'A', 'é', 'a b', 'a"', 'a\n', 'a\0', 'x'.repeat(81)])
    assert.not.ok(isPartName(name), name)
})

it('have names of the engine, too, with an id behind a colon', () => {
  for (const name of [
    'personal:01234567-89ab-8cde-8f01-23456789abcd',
    'personal:A.b_c-1',
    `personal:${'x'.repeat(80)}`,
  ])
    assert.ok(isPartName(name), name)
  for (const name of [
    'personal:',
    'other:a',
    'xpersonal:a',
    'personal:a:b',
    'personal:a b',
    'personal:é',
    'Personal:a',
  ])
    assert.not.ok(isPartName(name), name)
  for (const name of [`personal:${'x'.repeat(81)}`, 'personal:a\n', 'personal:"', 'personal:\\', ':a', 'a:'])
    assert.not.ok(isPartName(name), name)
})

it('stand in the order of their names, each once, and are not too many', () => {
  const names = Array.from({ length: PARTS_MAX }, (_, n) => `p${String(n).padStart(5, '0')}`)
  assert.ok(arePartNames(names))
  assert.ok(arePartNames([]))
  assert.not.ok(arePartNames([...names, 'z']))
  assert.not.ok(arePartNames(['b', 'a']))
  assert.not.ok(arePartNames(['a', 'a']))
})

const anyName = fc.oneof(
  fc.stringMatching(/^[a-z][a-z0-9._-]{0,9}$/),
  fc.stringMatching(/^personal:[A-Za-z0-9._-]{1,9}$/),
)
const anyParts = fc.dictionary(anyName, fc.uint8Array({ maxLength: 20 }), { maxKeys: 6 })

it('give a line that is read, in whatever order they were given', () =>
  fc.assert(
    fc.property(anyParts, fc.jsonValue(), (parts, change) => {
      const data = { type: 'T', result: {}, change: JSON.parse(JSON.stringify(change)) as never, revision: 1 }
      const { record, event } = link({ digest, ids: nodeIds() }, beforeFirst, {
        ...entry,
        payload: { type: 'ActivityCompleted', data },
        parts: Object.fromEntries(Object.entries(parts).toReversed()),
      })
      assert.equal(Object.keys(event.parts), Object.keys(parts).toSorted())
      const read = decodeLine(record.line)
      assert.equal(read._tag === 'event' && { ...read.event }, { ...event })
    }),
  ))

it('are said to be erased where the event names them and they are not there; the request is none of them', () => {
  const named = { type: 'ActivityCompleted', parts: { a: '1', b: '2', request: '3' } } as const
  const there = [
    { name: 'b', salt: new Uint8Array(), bytes: encodeUtf8('"b"') },
    { name: 'request', salt: new Uint8Array(), bytes: encodeUtf8('r') },
    { name: 'c', salt: new Uint8Array(), bytes: encodeUtf8('not named') },
  ]
  const parts = partsOf(named, there)
  assert.equal(
    [...parts],
    [
      ['a', 'erased'],
      ['b', encodeUtf8('"b"')],
    ],
  )
  assert.is(readPart(parts, 'a', t.string), undefined)
  assert.is(readPart(parts, 'b', t.string), 'b')
  assert.is(readPart(parts, 'c', t.string), undefined)
  assert.is(namesParts({ type: 'ActivityCompleted', parts: { request: '' } }), false)
  assert.is(partsOf({ type: 'ActivityCompleted', parts: { request: '' } }, there), noParts)
})

it('are copies: who changes one changes nothing else', () => {
  const bytes = encodeUtf8('"b"')
  const parts = partsOf({ type: 'ActivityCompleted', parts: { b: '' } }, [{ name: 'b', salt: new Uint8Array(), bytes }])
  const copy = parts.get('b')
  if (copy instanceof Uint8Array) copy.fill(0)
  assert.equal(bytes, encodeUtf8('"b"'))
})

it('throw where a codec does not read them, without saying what they hold', () => {
  for (const text of ['1', '', '{', '\xff'])
    assert.throws(
      () => readPart(new Map([['a', encodeUtf8(text)]]), 'a', t.string),
      (thrown: Error) => thrown instanceof TypeError && !thrown.message.includes(text || 'nothing'),
    )
})

/** The line of a conclusion that names its parts in this text. */
const lineWith = (parts: string): string =>
  (
    decodeUtf8(
      link({ digest, ids: nodeIds() }, beforeFirst, {
        ...entry,
        payload: { type: 'ActivityCompleted', data: { type: 'T', result: {}, change: {}, revision: 1 } },
        parts: {},
      }).record.line,
    ) ?? ''
  ).replace('"parts":{}', `"parts":{${parts}}`)

const many = Array.from({ length: 10_000 }, (_, n) => `"p${String(n).padStart(5, '0')}":"x"`).join()
for (const [what, parts] of [
  ['a name twice', '"a":"x","a":"x"'],
  ['two names of digits', '"2":"x","1":"x"'],
  ['a hash that is no text', '"a":1'],
  ['an escaped name', '"\\u0061":"x"'],
  ['white space', '"a": "x"'],
  ['a comma at the end', '"a":"x",'],
  ['another object in it', '"a":"x","parts":{"b":"x"}'],
] as const)
  it(`are not read with ${what}`, () => assert.is(decodeLine(encodeUtf8(lineWith(parts)))._tag, 'unreadable'))

for (const [what, parts] of [
  ['a name that objects have', '"__proto__":"x"'],
  ['a name of digits', '"1":"x"'],
  ['a name in capital letters', '"A":"x"'],
  ['another order', '"b":"x","a":"x"'],
  ['10,000 parts', many],
] as const)
  it(`are found with ${what}`, () => {
    const read = decodeLine(encodeUtf8(lineWith(parts)))
    if (read._tag !== 'event') throw new Error('expected an event')
    const findings: Finding[] = []
    const check = transcriptCheck({ digest, ids: nodeIds() }, (finding) => findings.push(finding))
    check.next({ line: 1, ...read })
    assert.equal(
      findings.map(({ code }) => code),
      ['PART_MISPLACED'],
    )
    assert.is(check.end()?.erased.length, Object.keys(read.event.parts).length)
  })

it('may have names that objects have', () => {
  const read = decodeLine(encodeUtf8(lineWith('"constructor":"x","tostring":"y"')))
  assert.equal(read._tag === 'event' && Object.keys(read.event.parts), ['constructor', 'tostring'])
})

const entry = {
  organization: '5b2b9e06-9f0b-4f3f-8c9b-0a5b6a1f2c3d',
  activity: 'b1235103-ff80-8706-8980-45ebe2f9f13b',
  revision: 1n,
  at: '2026-01-01T00:00:00.000Z',
}

it.run()
