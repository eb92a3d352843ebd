import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { escapedJson, escapedLine } from '../../../adapters/inbox/escape.ts'
import { seenOnly } from '../cli/hostile.ts'

const it = suite('what is escaped')

/** Any units of UTF-16, lone surrogates among them, and often what has a meaning to a terminal or to JSON. */
const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 4 }),
      fc.nat(0xffff).map((unit) => String.fromCharCode(unit)),
      fc.constantFrom('\u001b[2J', '\u009b', '\u202e', '\u2066', '\u200b', '\ufeff', '\u{e0041}', '\ud800', '\udc00'),
      fc.constantFrom('\\', '\\u', '\\u001b', '\\U001B', '\\\\u202e', '"', '\n', '\r\n', '\u007f', '\u2028', '\u3164'),
    ),
    { maxLength: 8 },
  )
  .map((pieces) => pieces.join(''))

const unescaped = (line: string): string =>
  line.replaceAll(/\\u([0-9a-f]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

it('leaves nothing in a line of text that a terminal obeys or nobody sees, and can be undone', () =>
  fc.assert(
    fc.property(text, (line) => {
      const escaped = escapedLine(line)
      assert.ok(seenOnly(escaped), escaped)
      assert.not.match(escaped, '\n')
      assert.is(unescaped(escaped), line)
    }),
    { numRuns: 3000 },
  ))

it('escapes marks on top of more than four of them, in a line and in JSON', () => {
  const stack = `Z${'\u0301'.repeat(6)}`
  assert.is(escapedLine(stack), `Z${'\u0301'.repeat(4)}\\u0301\\u0301`)
  assert.is(escapedJson(JSON.stringify(stack)), `"Z${'\u0301'.repeat(4)}\\u0301\\u0301"`)
})

it('leaves nothing of that in JSON either, which says what it said', () =>
  fc.assert(
    fc.property(
      fc.oneof(text, fc.dictionary(text, text), fc.array(text), fc.jsonValue()),
      fc.nat(2),
      (value, indent) => {
        const json = JSON.stringify(value, undefined, indent)
        const escaped = escapedJson(json)
        assert.ok(seenOnly(escaped.replaceAll('\n', '')), escaped)
        assert.equal(JSON.parse(escaped), JSON.parse(json))
      },
    ),
    { numRuns: 3000 },
  ))

it('leaves the letters of all languages, and paths, as they are', () => {
  for (const line of ['Größe', 'שלום', 'مرحبا', '東京', 'हिन्दी', '🙂', 'C:\\users\\data', 'a \'b\' "c"', 'a\u00a0b'])
    assert.is(escapedLine(line), line)
})

it('escapes in a form that stands for nothing else', () => {
  assert.is(escapedLine('a\u001b[2Jb'), 'a\\u001b[2Jb')
  assert.is(escapedLine('a\\u001b[2Jb'), 'a\\u005cu001b[2Jb')
  assert.is(escapedLine('\u{e0041}'), '\\udb40\\udc41')
  assert.is(escapedJson(JSON.stringify({ 'a\u202e': '\u{e0041}\n' })), '{"a\\u202e":"\\udb40\\udc41\\n"}')
})

it.run()
