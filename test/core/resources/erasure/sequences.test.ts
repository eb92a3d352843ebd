import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readRanges, writeSequences } from '../../../../core/resources/erasure/sequences.ts'

const it = suite('a short list of sequences')

const MAX = 2n ** 62n

/** Ascending sequences, most of them next to each other. */
const ascending = fc
  .tuple(
    fc.bigInt({ min: 1n, max: MAX }),
    fc.array(fc.oneof(fc.constant(1n), fc.bigInt({ min: 1n, max: 1000n })), { maxLength: 60 }),
  )
  .map(([first, steps]) => [0n, ...steps].map((_, n) => steps.slice(0, n).reduce((sum, step) => sum + step, first)))
const sequences = fc.oneof(ascending, fc.constant<readonly bigint[]>([]))

const expanded = (text: string): readonly bigint[] | undefined =>
  readRanges(text)?.flatMap(({ from, to }) => Array.from({ length: Number(to - from) + 1 }, (_, n) => from + BigInt(n)))

it('is read as it was written', () =>
  fc.assert(
    fc.property(sequences, (given) => assert.equal(expanded(writeSequences(given)), given)),
    { numRuns: 1000 },
  ))

it('writes neighbours as a range', () => {
  for (const [given, text] of [
    [[], ''],
    [[3n], '3'],
    [[3n, 4n], '3-4'],
    [[3n, 5n, 6n, 7n, 8n, 9n], '3,5-9'],
    [[1n, 2n, 4n, 6n, 7n], '1-2,4,6-7'],
    [[9_007_199_254_740_993n, 9_007_199_254_740_994n], '9007199254740993-9007199254740994'],
  ] as const)
    assert.is(writeSequences(given), text)
})

it('has one spelling: what can be read is what would be written', () => {
  const piece = fc.constantFrom(
    '1',
    '2',
    '3',
    '10',
    '0',
    '01',
    ',',
    '-',
    ' ',
    '+1',
    '٣',
    '1e3',
    '0x1',
    'n',
    '9'.repeat(19),
    '9'.repeat(20),
  )
  const text = fc.oneof(
    fc.string({ maxLength: 20 }),
    fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
  )
  fc.assert(
    fc.property(text, (given) => {
      const ranges = readRanges(given)
      if (ranges === undefined) return
      assert.is(ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(','), given)
      let last = -1n
      for (const { from, to } of ranges) {
        assert.ok(from > last + 1n && to >= from, given)
        last = to
      }
    }),
    { numRuns: 5000 },
  )
})

it('is not read where it is something else', () => {
  for (const text of [
    '0',
    '01',
    '-1',
    '1-',
    '1-1',
    '2-1',
    '1,1',
    '2,1',
    '1,2',
    '1-2,3',
    '1-3,2',
    ',1',
    '1,',
    '1,,3',
    ' 1',
    '1 ',
    '1-2-3',
    '1.5',
    'x',
    '١',
    '9'.repeat(20),
  ])
    assert.is(readRanges(text), undefined, text)
})

it.run()
