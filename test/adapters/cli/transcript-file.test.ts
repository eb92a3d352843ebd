import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventCounter } from '../../../adapters/cli/transcript-file.ts'
import { encodeUtf8 } from '../../../core/bytes.ts'

const it = suite('an exported log in a file')

it('counts its events, however it comes in chunks', () => {
  const lines = fc.array(
    fc.constantFrom('{"organization":"a\\no"}', '{"part":"request","oo":1}', '{"export":1}', '', '{'),
  )
  fc.assert(
    fc.property(lines, fc.integer({ min: 1, max: 40 }), (all, size) => {
      const bytes = encodeUtf8(all.map((line) => `${line}\n`).join(''))
      const count = eventCounter()
      let events = 0
      for (let at = 0; at < bytes.length; at += size) events = count(bytes.subarray(at, at + size))
      return events === all.filter((line) => line.startsWith('{"o')).length
    }),
  )
  assert.is(eventCounter()(new Uint8Array()), 0)
})

it.run()
