import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compareInstants, Instant, parseInstant } from '../../../core/policy/instant.ts'

const it = suite('moments')

const read = (text: string): Instant | string => {
  const parsed = parseInstant(text)
  return parsed._tag === 'Right' ? parsed.right : parsed.left
}

it('reads back what a date writes, in every form of a zero offset', () => {
  const date = fc.date({
    min: new Date('0000-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(date, fc.constantFrom('Z', 'z', '+00:00', '-00:00'), fc.constantFrom('T', 't'), (moment, offset, t) => {
      const text = moment.toISOString().replace('T', t).replace('Z', offset)
      assert.equal(read(text), new Instant(moment.getTime()))
    }),
  )
})

it('keeps each digit of a second', () => {
  assert.equal(read('1970-01-01T00:00:00.0015Z'), new Instant(1, '5'))
  assert.equal(read('1970-01-01T00:00:01.5Z'), new Instant(1500))
  assert.equal(read('1969-12-31T23:59:59.9999000Z'), new Instant(-1, '9'))
})

it('orders moments as their digits do', () => {
  const digits = fc.stringMatching(/^[0-9]{1,12}$/)
  fc.assert(
    fc.property(digits, digits, (a, b) => {
      const [one, other] = [a, b].map((fraction) => read(`2026-01-31T09:00:00.${fraction}Z`))
      assert.ok(one instanceof Instant && other instanceof Instant)
      const difference = BigInt(a.padEnd(12, '0')) - BigInt(b.padEnd(12, '0'))
      assert.is(Math.sign(compareInstants(one, other)), Number(difference > 0n) - Number(difference < 0n))
    }),
  )
})

for (const [text, expected] of [
  ['2026-02-29T00:00:00Z', /that exists/],
  ['2026-04-31T00:00:00Z', /that exists/],
  ['2026-01-31T24:00:00Z', /that exists/],
  ['2026-01-31T23:60:00Z', /that exists/],
  ['2026-12-31T23:59:60Z', /that exists/],
  ['2026-13-01T00:00:00Z', /that exists/],
  ['2026-01-31T09:00:00+01:00', /in UTC/],
  ['2026-01-31T09:00:00', /like/],
  ['2026-01-31 09:00:00Z', /like/],
  ['2026-01-31T09:00Z', /like/],
  ['2026-01-31T09:00:00.Z', /like/],
  ['+002026-01-31T09:00:00Z', /like/],
  [' 2026-01-31T09:00:00Z', /like/],
  [`2026-01-31T09:00:00.${'0'.repeat(100)}Z`, /like/],
  ['', /like/],
] as const)
  it(`refuses ${text}`, () => {
    const found = read(text)
    assert.match(typeof found === 'string' ? found : 'accepted', expected)
  })

it('answers for any text', () => {
  fc.assert(fc.property(fc.string(), (text) => void parseInstant(text)))
})

it.run()
