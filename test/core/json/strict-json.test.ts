import { runInThisContext } from 'node:vm'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { concat, encodeUtf8 } from '../../../core/bytes.ts'
import { parseStrict, requestJson } from '../../../core/json/strict-json.ts'
import { JSON_DEPTH_MAX } from '../../../core/json/strict-reader.ts'
import { E } from '../../../core/prelude.ts'
import { almostJson, written } from './texts.ts'

const it = suite('strict JSON')

const refusalOf = (input: string | Uint8Array): string => {
  const parsed = parseStrict(typeof input === 'string' ? encodeUtf8(input) : input)
  return E.isLeft(parsed) ? `${parsed.left.code}: ${parsed.left.message}` : 'accepted'
}
const isAccepted = (input: string | Uint8Array): boolean => refusalOf(input) === 'accepted'

it('builds what JSON.parse builds', () => {
  const text = ' { "a" : [ 1 , -0.5e+3 , true , false , null , "\\u00e9\\n🙂é" ] , "" : { } , "b":[] } \r\n\t'
  assert.equal(parseStrict(encodeUtf8(text)), E.right(JSON.parse(text)))
})

for (const [text, offset, expected] of [
  ['', 0, 'a value'],
  ['  ', 2, 'a value'],
  ['{"a":1', 6, 'a comma or the end of the object'],
  ['{"a" 1}', 5, 'a colon'],
  ['{"a":1,}', 7, 'a name in quotes'],
  ['{a:1}', 1, 'a name in quotes'],
  ['[1 2]', 3, 'a comma or the end of the array'],
  ['[1,]', 3, 'a value'],
  ['[] []', 3, 'the end'],
  ['01', 1, 'the end'],
  ['-', 1, 'a digit'],
  ['1.', 2, 'a digit'],
  ['1e+', 3, 'a digit'],
  ['+1', 0, 'a value'],
  ['.5', 0, 'a value'],
  ['NaN', 0, 'a value'],
  ['nul', 0, 'a value'],
  ['"a', 2, 'a character of a string'],
  ['"a\nb"', 2, 'a character of a string'],
  ['"a\u0000b"', 2, 'a character of a string'],
  ['"\\x41"', 1, 'an escape'],
  ['"\\', 1, 'an escape'],
  ['"\\u00g0"', 1, 'four hex digits'],
  ['"\\u00', 1, 'four hex digits'],
  ['"é\\q"', 3, 'an escape'],
  ['1\u0000', 1, 'the end'],
  ['\u0000', 0, 'a value'],
] as const)
  it(`refuses ${JSON.stringify(text)}`, () =>
    assert.is(refusalOf(text), `REQUEST_INVALID: invalid JSON at offset ${offset}: expected ${expected}`))

it('takes both halves of a surrogate pair, from the first to the last, and no half alone', () => {
  for (const pair of ['\\ud800\\udc00', '\\udbff\\udfff', '\\ud83d\\ude42']) assert.ok(isAccepted(`"${pair}"`), pair)
  for (const text of [
    '\\ud800\\ue000',
    '\\ud800\\udbff',
    '\\ud800\\uffff',
    '\\ud800',
    '\\udc00',
    '\\udc00\\ud800',
    '\\ud800x',
  ])
    assert.not.ok(isAccepted(`"${text}"`), text)
})

for (const [text, why] of [
  ['{"a":1,"a":1}', 'in the outermost object'],
  ['{"x":{"y":[{"a":1,"b":2,"a":3}]}}', 'further in'],
  ['{"type":1,"\\u0074ype":2}', 'one of them escaped'],
  ['{"\\u0074ype":1,"type":2}', 'the first of them escaped'],
  ['{"é":1,"\\u00e9":2}', 'beyond ASCII, one of them escaped'],
  ['{"🙂":1,"\\ud83d\\ude42":2}', 'beyond the basic plane, one of them escaped'],
  ['{"":1,"":2}', 'both empty'],
  ['{"/":1,"\\/":2}', 'one with an escape that it does not need'],
] as const)
  it(`refuses two members of the same name, ${why}`, () =>
    assert.match(refusalOf(text), 'no second member of the same name'))

it('accepts the same name in different objects', () =>
  assert.ok(isAccepted('{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}')))

it('takes names apart that only look the same', () =>
  assert.ok(isAccepted('{"\u00e9":1,"e\u0301":2,"K":3,"\u212a":4}')))

for (const text of ['{"__proto__":{}}', '[{"a":{"\\u005f_proto__":1}}]', '{"é":1,"__proto_\\u005F":1}'])
  it(`refuses a member named __proto__ in ${text}`, () => assert.match(refusalOf(text), 'no member of that name'))

it('accepts __proto__ as a value, and names that every object has', () => {
  assert.ok(isAccepted('{"a":"__proto__"}'))
  assert.ok(isAccepted('{"constructor":{"prototype":1},"toString":1,"hasOwnProperty":2}'))
})

for (const [text, why] of [
  ['"\\ud800"', 'a high half alone'],
  ['"\\udc00"', 'a low half alone'],
  ['"\\udc00\\ud800"', 'the halves in the wrong order'],
  ['"\\ud800\\ud800\\udc00"', 'a high half too many'],
  ['"\\ud83d🙂"', 'a high half before a character'],
  ['"\\ud83d\\n"', 'a high half before another escape'],
  ['{"\\ud800":1}', 'a high half in a name'],
] as const)
  it(`refuses ${why}`, () => assert.match(refusalOf(text), 'both halves of a surrogate pair'))

it('accepts both halves of a pair, in either case', () => assert.ok(isAccepted('"\\uD83D\\uDe42\\ud83d\\ude42"')))

for (const [bytes, why] of [
  [[0xc0, 0xaf], 'an overlong slash'],
  [[0xe0, 0x80, 0xaf], 'an overlong slash in three bytes'],
  [[0xed, 0xa0, 0x80], 'a surrogate'],
  [[0xf4, 0x90, 0x80, 0x80], 'a code point beyond the last'],
  [[0x80], 'a continuation alone'],
  [[0xe2, 0x82], 'a character that breaks off'],
] as const)
  it(`refuses UTF-8 with ${why}`, () =>
    assert.is(
      refusalOf(concat([encodeUtf8('"'), Uint8Array.from(bytes), encodeUtf8('"')])),
      'REQUEST_INVALID: invalid JSON: expected UTF-8',
    ))

it('refuses a byte order mark', () =>
  assert.is(refusalOf('\ufeff{}'), 'REQUEST_INVALID: invalid JSON at offset 0: expected no byte order mark'))

it('refuses numbers that would become infinity, and accepts those that become zero', () => {
  assert.match(refusalOf('[1e400]'), 'a number that a double can hold')
  assert.match(refusalOf('[-1e400]'), 'a number that a double can hold')
  assert.match(refusalOf(`[${'9'.repeat(400)}]`), 'a number that a double can hold')
  assert.ok(isAccepted('[1e308,1e-400,123456789012345678901234567890]'))
  assert.ok(isAccepted(`[${'0.'.padEnd(400, '1')}]`))
})

it('accepts nesting up to the limit, and says so beyond it', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
  assert.ok(isAccepted(nested(JSON_DEPTH_MAX)))
  assert.is(
    refusalOf(nested(JSON_DEPTH_MAX + 1)),
    `REQUEST_TOO_LARGE: invalid JSON at offset ${JSON_DEPTH_MAX}: expected a nesting of at most ${JSON_DEPTH_MAX}`,
  )
  assert.ok(E.isRight(parseStrict(encodeUtf8('[{"a":[]},[[]]]'), { depthMax: 3 })))
  assert.ok(E.isLeft(parseStrict(encodeUtf8('[{"a":[[]]}]'), { depthMax: 3 })))
})

it('takes so many values, those inside of others included, and no more', () => {
  const text = '[[1,{"a":2}],[],"three",null,"\\u0034"]' // nine values and an array around them
  for (const [valuesMax, accepted] of [
    [9, true],
    [8, false],
  ] as const)
    assert.is(E.isRight(parseStrict(encodeUtf8(text), { valuesMax })), accepted, `${valuesMax}`)
  const { valuesMax } = requestJson
  const many = encodeUtf8(`[${'0,'.repeat(valuesMax)}0]`)
  assert.ok(E.isRight(parseStrict(many)))
  const refused = parseStrict(many, requestJson)
  assert.equal(E.isLeft(refused) && [refused.left.code, refused.left.message], [
    'REQUEST_TOO_LARGE',
    `invalid JSON at offset ${2 * valuesMax - 1}: expected at most ${valuesMax} values`,
  ])
})

it('builds numbers as JSON.parse does, zero with its sign', () => {
  const text = '[0,-0,-0.0,0e5,9,-10,999999999999999,-999999999999999,9007199254740993,1e23,5e-324,0.1e1] '
  const parsed = parseStrict(encodeUtf8(text))
  assert.ok(E.isRight(parsed))
  if (E.isRight(parsed)) assert.ok((JSON.parse(text) as number[]).every((n, i) => Object.is(n, at(parsed.right, i))))
})

it('builds members of an object whose names every object inherits', () => {
  const parsed = parseStrict(encodeUtf8('{"toString":1,"valueOf":{"constructor":2}} '))
  assert.equal(parsed, E.right({ toString: 1, valueOf: { constructor: 2 } }))
  assert.match(refusalOf('{"toString":1,"toString":2}'), 'no second member of the same name')
})

it('builds them even where a host has made the inherited ones read-only', () => {
  // oxlint-disable-next-line no-extend-native
  Object.defineProperty(Object.prototype, 'ofTheHost', { value: 0, writable: false, configurable: true })
  const parsed = parseStrict(encodeUtf8('{"ofTheHost":1} '))
  assert.is(E.isRight(parsed) && JSON.stringify(parsed.right), '{"ofTheHost":1}')
  Reflect.deleteProperty(Object.prototype, 'ofTheHost')
})

it('cuts strings at the right place behind characters of two, three and four bytes', () => {
  const text = '{"é":"€","🙂":["𝄞é","a"],"e\\u0301€":"\\ud83d\\ude42é"} '
  assert.equal(parseStrict(encodeUtf8(text)), E.right(JSON.parse(text)))
})

it('survives a million opening brackets', () => assert.match(refusalOf('['.repeat(1_000_000)), 'REQUEST_TOO_LARGE'))

it('never shows what it refuses', () =>
  assert.not.match(refusalOf('{"secret-name":"secret-value","secret-name":1}'), 'secret'))

it('accepts what JSON.stringify writes of values without __proto__, and builds the same', () =>
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(3), (value, space) => {
      const text = JSON.stringify(value, null, space)
      if (text.includes('__proto__') || text.includes('\\ud')) return
      assert.equal(parseStrict(encodeUtf8(text)), E.right(JSON.parse(text)))
    }),
    { numRuns: 2000 },
  ))

it('accepts nothing that JSON.parse refuses, and refuses little else', () =>
  fc.assert(
    fc.property(almostJson(), (text) => {
      const isJson = parses(text)
      const refusal = refusalOf(text)
      if (refusal === 'accepted') assert.ok(isJson, text)
      else if (isJson) assert.match(refusal, /same name|that name|surrogate|double can hold/, text)
    }),
    { numRuns: 20_000 },
  ))

it('never throws, whatever the bytes', () =>
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => void parseStrict(bytes)),
    { numRuns: 5000 },
  ))

it('reads what is written as JSON.stringify would as it reads any other spelling', () =>
  fc.assert(
    fc.property(fc.oneof(almostJson(), fc.json()), fc.integer({ min: 1, max: 3 }), (text, depthMax) => {
      const [usual, other] = [text, `${text} `].map((each) => parseStrict(encodeUtf8(each), { depthMax }))
      assert.is(usual?._tag, other?._tag)
      if (usual?._tag === 'Right') assert.equal(usual, other)
    }),
    { numRuns: 3000 },
  ))

// JSON.parse is no witness here: that of Node 24 now and then reads the name "\u0061" as "\\" when it has read many texts. What is
// JSON is an expression of JavaScript as well, with the same value but for a member named __proto__, and such texts are refused.
const asExpression = (text: string): unknown => runInThisContext(`(${text})`)

it('builds what JavaScript makes of the same text, whatever escapes, spaces, names and numbers the text has', () =>
  fc.assert(
    fc.property(written(), (text) => {
      const parsed = parseStrict(encodeUtf8(`${text} `)) // with a space it is not what JSON.stringify would write
      if (E.isRight(parsed)) assert.equal(parsed.right, asExpression(text))
      else assert.match(parsed.left.message, /same name|that name|double can hold/, text)
    }),
    { numRuns: 5000 },
  ))

const at = (value: unknown, index: number): unknown => (Array.isArray(value) ? value[index] : undefined)

const parses = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

it.run()
