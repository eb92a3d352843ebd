import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../../core/failure.ts'
import { dataCodecs, eventOf, Line, type EventType } from '../../../core/log/event.ts'
import { counterOf, dataGuards, isLine } from '../../../core/log/event-guards.ts'
import { anyLine, mutated } from './any-event.ts'

const it = suite('guards of events')

const types = Object.keys(dataCodecs) as EventType[] // its own keys

for (const type of types) {
  it(`accept every valid ${type}`, () => {
    fc.assert(
      fc.property(anyLine(type), (line) => {
        assert.ok(Line.is(line) && isLine(line))
        assert.ok(dataCodecs[type].is(line.data) && dataGuards[type](line.data))
        assert.is(eventOf(line)._tag, 'Right')
      }),
    )
  })

  it(`accept of a mutated ${type} what its codec accepts`, () => {
    const seen = { accepted: 0, refused: 0 }
    const data = anyLine(type).map((line) => line.data ?? null)
    fc.assert(
      fc.property(mutated(data), (value) => {
        const is = dataCodecs[type].is(value)
        assert.is(dataGuards[type](value), is)
        seen[is ? 'accepted' : 'refused'] += 1
      }),
      { numRuns: 2000 },
    )
    assert.ok(seen.accepted > 100 && seen.refused > 100, JSON.stringify(seen)) // else it would prove little
  })

  it(`accept of a mutated line of ${type} what the codec accepts`, () => {
    fc.assert(
      fc.property(mutated(anyLine(type)), (value) => {
        assert.is(isLine(value), Line.is(value))
      }),
      { numRuns: 1000 },
    )
  })
}

it('accept of the data of one type for another what its codec accepts', () => {
  const anyType = fc.constantFrom(...types)
  const ofAnother = fc.tuple(anyType.chain(anyLine), anyType)
  fc.assert(
    fc.property(ofAnother, ([line, type]) => {
      assert.is(dataGuards[type](line.data), dataCodecs[type].is(line.data))
    }),
  )
})

it('refuse what is not an object', () => {
  const others: readonly (Json | undefined)[] = [undefined, null, true, 1, 'ActivityCreated', [], [{}], {}]
  for (const other of others) {
    assert.is(isLine(other), false)
    for (const type of types) assert.is(dataGuards[type](other), false)
  }
})

it('read a counter as the pattern and BigInt do', () => {
  const pattern = /^[1-9][0-9]{0,18}$/
  const nearly = fc.oneof(
    fc.bigInt({ min: 0n, max: 10n ** 21n }).map(String),
    fc.string({ unit: fc.constantFrom('0', '1', '9', '+', '-', '.', 'e', ' ', '\n', '٣'), maxLength: 21 }),
    fc.constantFrom('', '0', '01', '999999999999999', '1000000000000000', '9007199254740993', '9'.repeat(19)),
  )
  fc.assert(
    fc.property(nearly, (text) => {
      assert.is(counterOf(text), pattern.test(text) ? BigInt(text) : undefined)
    }),
    { numRuns: 1000 },
  )
})

it.run()
