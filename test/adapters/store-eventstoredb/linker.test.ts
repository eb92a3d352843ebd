import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { restMs } from '../../../adapters/store-eventstoredb/linker.ts'

const it = suite('EventStoreDB store: the loop that writes links')

it('rests longer while events are appended, until links are a minute late, and never for long', () => {
  const quiet = { isBusy: false, behindMs: 0 }
  assert.is(restMs(100, quiet), 100)
  assert.is(restMs(100, { isBusy: true, behindMs: 59_999 }), 600)
  assert.is(restMs(100, { isBusy: true, behindMs: 60_000 }), 100)
  assert.is(restMs(3_000, { isBusy: true, behindMs: 0 }), 5_000)
  assert.is(restMs(10_000, quiet), 5_000)
})

it.run()
