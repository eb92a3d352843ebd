import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fingerprints } from '../../../adapters/store-eventstoredb/fingerprints.ts'

const it = suite('EventStoreDB store: fingerprints of names')

const ROOM = 1024 * 1024

it('never lacks what was added', () =>
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 5 }), { maxLength: 500 }), (texts) => {
      const own = fingerprints({ bytes: ROOM })
      for (const [n, text] of texts.entries()) {
        own.add(text)
        assert.ok(texts.slice(0, n + 1).every((one) => own.mayHave(one)))
      }
      assert.ok(own.isWhole())
    }),
    { numRuns: 50 },
  ))

it('takes few for others', () => {
  const own = fingerprints({ bytes: ROOM })
  for (let n = 0; n < 20_000; n += 1) own.add(`there ${n}`)
  let taken = 0
  for (let n = 0; n < 20_000; n += 1) if (own.mayHave(`not there ${n}`)) taken += 1
  assert.ok(taken <= 5, `${taken} of 20,000`) // 0.1 are to be expected
})

it('lets go everything if there is no more room, and then says of nothing that it lacks it', () => {
  const room = { bytes: 4096 }
  const own = fingerprints(room)
  own.add('first')
  assert.not(own.mayHave('another'))
  for (let n = 0; n < 5_000; n += 1) own.add(`${n}`)
  assert.not(own.isWhole())
  assert.ok(own.mayHave('first'))
  assert.ok(own.mayHave('another'))
  assert.is(room.bytes, 4096)
  const other = fingerprints(room)
  assert.ok(room.bytes < 4096)
  other.release()
  assert.is(room.bytes, 4096)
})

it.run()
