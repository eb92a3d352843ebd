import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { tokensOf } from '../../../core/policy/lexer.ts'
import { parse } from '../../../core/policy/parser.ts'
import type { Node } from '../../../core/policy/syntax.ts'
import { anyCondition, anyConsensus, anyNode } from './arbitrary.ts'
import { print } from './printer.ts'

const it = suite('policy parser')

const printed = (text: string): string => {
  const parsed = parse(text)
  return parsed._tag === 'Right' ? print(parsed.right) : `refused: ${parsed.left.message}`
}

const refuses = (text: string, message: RegExp): void => {
  const parsed = parse(text)
  assert.is(parsed._tag, 'Left', text)
  if (parsed._tag === 'Left') assert.match(parsed.left.message, message)
}

const withoutPlaces = (node: Node): unknown =>
  JSON.parse(
    JSON.stringify(node, (key, value: unknown) => {
      if (key === 'at') return undefined
      return typeof value === 'bigint' ? `${value}n` : value
    }),
  )

it('binds && tighter than ||, comparison tighter than &&, ! tighter than comparison, postfix tightest', () => {
  assert.is(printed('a || b && c || d'), '(a || (b && c) || d)')
  assert.is(printed('a == b && c in d'), '((a == b) && (c in d))')
  assert.is(printed('!a == b'), '((!a) == b)')
  assert.is(printed('!a.b[0].c'), '(!a.b[0].c)')
  assert.is(printed('(a || b) && c'), '((a || b) && c)')
})

it('does not mind white space or line ends', () => {
  assert.is(printed(" a\n  . any (\tx ,\r\n x . id == '1' )  "), "a.any(x, (x.id == '1'))")
})

it('reads every construct', () => {
  assert.is(
    printed("approvers.filter(u, u.tags.contains('t')).count() >= 2"),
    "(approvers.filter(u, u.tags.contains('t')).count() >= 2)",
  )
  assert.is(printed('a.all(x, b.any(y, x == y))'), 'a.all(x, b.any(y, (x == y)))')
  assert.is(printed('x[1..2][0]'), 'x[1..2][0]')
  assert.is(printed("x in [1, -2, true, '', []]"), "(x in [1, -2, true, '', []])")
  assert.is(printed('transfers.count == 1'), '(transfers.count == 1)')
})

it('takes strings as they stand, without escapes', () => {
  assert.is(printed(String.raw`'a\n"b' == x`), String.raw`('a\n"b' == x)`)
})

it('refuses what the language does not have', () => {
  refuses('', /found the end/)
  refuses('a ==', /found the end/)
  refuses('a == b == c', /do not chain/)
  refuses('a < b < c', /do not chain/)
  refuses('"a"', /unexpected character/)
  refuses("'a", /ends with a single quote/)
  refuses('a & b', /unexpected character/)
  refuses('a = b', /unexpected character/)
  refuses('-a == 1', /expected a number/)
  refuses('a b', /found 'b'/)
  refuses("a 'secret'", /found a string$/)
  refuses('[1, ]', /expected an expression/)
  refuses('(a', /expected '\)'/)
  refuses('a.all(x)', /expected ','/)
  refuses('a.all(x, true, false)', /expected '\)'/)
  refuses('a.count(1)', /expected '\)'/)
  refuses('a[..1]', /expected an expression/)
  refuses('a.1', /the name of a field/)
  refuses('a.size()', /function does not exist: size/)
  refuses('in', /expected an expression/)
})

it('takes numbers from -2^127 to 2^256 - 1', () => {
  const accepts = (value: bigint) => parse(`x == ${value}`)._tag
  assert.is(accepts(2n ** 256n - 1n), 'Right')
  assert.is(accepts(2n ** 256n), 'Left')
  assert.is(accepts(-(2n ** 127n)), 'Right')
  assert.is(accepts(-(2n ** 127n) - 1n), 'Left')
  refuses(`x == ${'9'.repeat(10_000)}`, /expected a number from/)
})

it('refuses deep nesting, however it nests', () => {
  refuses('('.repeat(200) + 'true' + ')'.repeat(200), /at most 64 levels/)
  refuses('['.repeat(8000), /at most 64 levels/)
  refuses('!'.repeat(16_000) + 'true', /at most 64 levels/)
  refuses('a.any(x,'.repeat(2000), /at most 64 levels/)
  refuses('a['.repeat(8000), /at most 64 levels/)
})

it('takes 63 levels around a value, and no more', () => {
  const nested = (levels: number) => parse('('.repeat(levels) + 'true' + ')'.repeat(levels))._tag
  assert.equal([nested(63), nested(64)], ['Right', 'Left'])
  const negated = (levels: number) => parse('!'.repeat(levels) + 'true')._tag
  assert.equal([negated(63), negated(64)], ['Right', 'Left'])
})

it('gives back every tree that is printed', () => {
  fc.assert(
    fc.property(anyNode, (node) => {
      const parsed = parse(print(node))
      assert.is(parsed._tag, 'Right')
      if (parsed._tag === 'Right') assert.equal(withoutPlaces(parsed.right), withoutPlaces(node))
    }),
    { numRuns: 500 },
  )
})

it('cuts the text into tokens that stand where they say', () => {
  fc.assert(
    fc.property(fc.oneof(anyConsensus, anyCondition), (text) => {
      const tokens = tokensOf(text)
      assert.is(tokens._tag, 'Right')
      for (const token of tokens._tag === 'Right' ? tokens.right : []) {
        assert.is(text.startsWith(token.text, token.kind === 'string' ? token.at + 1 : token.at), true)
      }
    }),
  )
})

it('answers for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => void parse(text)),
    { numRuns: 1000 },
  )
  const symbols = fc.constantFrom(
    ..."()[].,!<>=&|-' \n",
    'in',
    'true',
    'x',
    '12',
    '..',
    '&&',
    '||',
    '==',
    '.any(',
    '.count',
  )
  fc.assert(
    fc.property(fc.array(symbols, { maxLength: 60 }), (all) => void parse(all.join(''))),
    { numRuns: 1000 },
  )
})

it('answers for any mutation of a valid text', () => {
  const mutation = fc.tuple(anyConsensus, fc.nat(), fc.nat(20), fc.string({ maxLength: 3 }))
  fc.assert(
    fc.property(mutation, ([text, place, length, inserted]) => {
      const at = place % (text.length + 1)
      parse(text.slice(0, at) + inserted + text.slice(at + length))
    }),
    { numRuns: 500 },
  )
})

it.run()
