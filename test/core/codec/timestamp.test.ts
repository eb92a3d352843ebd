import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DateTime, dateTime, millisOf, Timestamp, timestamp } from '../../../core/codec/timestamp.ts'

const it = suite('timestamps')

const anyMs = fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }) // the years 1 to 9999

it('are read as they are written, as objects and as texts', () =>
  fc.assert(
    fc.property(anyMs, (atMs) => {
      const { seconds, nanos } = timestamp(atMs)
      assert.is(Number(seconds) * 1000 + Number(nanos) / 1_000_000, atMs)
      assert.ok(Number(nanos) >= 0)
      assert.is(millisOf({ seconds, nanos }), atMs)
      assert.ok(Timestamp.is(timestamp(atMs)))
      assert.ok(DateTime.is(dateTime(atMs)))
      assert.is(Date.parse(dateTime(atMs)), atMs)
    }),
  ))

it('are nothing else', () => {
  for (const wrong of ['', 'now', '2025-11-20', '2025-11-20T00:53:20', '20 Nov 2025', 7])
    assert.not.ok(DateTime.is(wrong))
  for (const wrong of [{}, { seconds: 1, nanos: 0 }, '1', null]) assert.not.ok(Timestamp.is(wrong))
})

it.run()
