import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { afterConflict } from '../../../core/writing/conflicts.ts'

const it = suite('conflicts')

/** How long a command waits after each of its conflicts, in ms, if all random bytes are this one. */
const pauses = async (byte: number, soleWriter = false): Promise<readonly number[]> => {
  const waited: number[] = []
  const wait = afterConflict({
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
  for (let conflicts = 1; conflicts <= 8; conflicts += 1) await wait(conflicts)
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
