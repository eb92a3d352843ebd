import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decodeUtf8, encodeUtf8 } from '../../../core/bytes.ts'
import { parseAhead, parseStrict } from '../../../core/json/strict-json.ts'
import { StrictReader } from '../../../core/json/strict-reader.ts'
import { E } from '../../../core/prelude.ts'
import { slices } from '../../../core/collections/slices.ts'
import { almostJson, many, written } from './texts.ts'

const it = suite('reading JSON in slices')

it('comes to the same wherever it pauses', () =>
  fc.assert(
    fc.property(fc.oneof(almostJson(), written()), fc.array(fc.nat(5), { minLength: 1 }), (text, steps) => {
      const bytes = encodeUtf8(text)
      const reader = new StrictReader(bytes, decodeUtf8(bytes) ?? '', {})
      let pauses = 0
      while (reader.read(reader.at + (steps[pauses % steps.length] ?? 0)) === 'paused') pauses += 1
      const parsed = parseStrict(bytes)
      if (E.isRight(parsed)) assert.equal(reader.value, parsed.right)
      else assert.match(parsed.left.message, `offset ${reader.at}: expected ${reader.expected}`)
    }),
    { numRuns: 5000 },
  ))

/** 1 MiB each, of what takes a parser the longest: the rest of them is too short to be parsed ahead. */
const longTexts: readonly (readonly [string, string])[] = [
  ['escaped names', `{${many((i) => `"\\u0061\\/${i}":1`)}}`],
  ['objects of which no two have the same members', `[${many((i) => `{"a${i}":1,"b${i}":2}`)}]`],
  ['deeply nested arrays', `[${many(() => '['.repeat(30) + ']'.repeat(30))}]`],
  ['numbers that are hard to round', `[${many(() => '2.4703282292062327208e-324')}]`],
  ['one string', `"${'x'.repeat(1_000_000)}"`],
  ['a second member of the same name at the end', `{${many((i) => `"a${i}":1`)},"a0":2}`],
  ['no end', `[${many((i) => String(i))}`],
]

for (const [what, text] of longTexts) {
  const bytes = encodeUtf8(text)

  it(`comes to the same ahead: ${what}`, async () => {
    const expected = parseStrict(bytes)
    await parseAhead(bytes, slices(tick))
    assert.equal(parseStrict(bytes), expected)
  })

  it(`reads at most 16 KiB and one value without a breath: ${what}`, () => {
    const reader = new StrictReader(bytes, text, {})
    let longest = 0
    for (let before = 0; reader.read(reader.at + 16_384) === 'paused'; before = reader.at)
      longest = Math.max(longest, reader.at - before)
    assert.ok(longest <= 16_384 + 40, `${longest} bytes`)
  })
}

it('breathes often while it parses ahead', async () => {
  let breaths = 0
  const breathe = async (): Promise<void> => void (breaths += 1)
  const bytes = encodeUtf8(longTexts[0]?.[1] ?? '')
  await parseAhead(bytes, slices(breathe))
  assert.ok(breaths >= bytes.length / 20_000, `${breaths} breaths`)
})

it('hands out once what was parsed ahead: it would stay in memory as long as the bytes', async () => {
  const bytes = encodeUtf8(longTexts[0]?.[1] ?? '')
  await parseAhead(bytes, slices(tick))
  const [first, second] = [parseStrict(bytes), parseStrict(bytes)]
  assert.equal(first, second)
  assert.is.not(first, second)
})

it('parses anew with another limit on depth than it was parsed ahead with', async () => {
  const bytes = encodeUtf8(`[[[${many(() => '1')}]]]`)
  await parseAhead(bytes, slices(tick))
  assert.ok(E.isLeft(parseStrict(bytes, { depthMax: 2 })))
  assert.ok(E.isRight(parseStrict(bytes)))
})

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

it.run()
