import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { afterRefusal } from '../../../core/writing/refusals.ts'

const it = suite('refusals')

/** How long a command waits after each of its refusals, in ms, if all random bytes are this one. */
const pauses = async (byte: number, soleWriter = false): Promise<readonly number[]> => {
  const waited: number[] = []
  const wait = afterRefusal({
    capabilities: { soleWriter },
    ids: { bytes: (length) => new Uint8Array(length).fill(byte) },
    clock: {
      after: (delayMs, wake) => {
        waited.push(delayMs)
        queueMicrotask(wake)
        return () => undefined
      },
    },
  })
  for (let refusals = 1; refusals <= 8; refusals += 1) await wait(refusals)
  return waited
}

it('let a command decide anew at once, and wait for a random time if it is refused again, longer each time', async () => {
  assert.equal(await pauses(128), [4, 8, 16, 32, 64, 64, 64])
  assert.equal(await pauses(0), [0, 0, 0, 0, 0, 0, 0])
})

it('never let a sole writer wait', async () => {
  assert.equal(await pauses(128, true), [])
})

it.run()
