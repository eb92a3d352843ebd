import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { verifications } from '../../../core/audit/verifications.ts'

const it = suite('verifications')

const later = () => {
  let resolve: (holds: boolean) => void = () => undefined
  const promise = new Promise<boolean>((resolved) => (resolve = resolved))
  return { promise, resolve: (holds: boolean) => resolve(holds) }
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

it('hand on whether each holds, and take one that rejects for one that does not', async () => {
  const all = verifications(4)
  const outcomes: (readonly [string, boolean])[] = []
  for (const [name, verification] of [
    ['right', Promise.resolve(true)],
    ['wrong', Promise.resolve(false)],
    ['broken', Promise.reject(new Error('no such curve'))],
  ] as const)
    all.add(verification, 1, (holds) => outcomes.push([name, holds]))
  await all.done()
  assert.equal(Object.fromEntries(outcomes), { right: true, wrong: false, broken: false })
})

it('make wait where many are under way, until half of them have ended', async () => {
  const all = verifications(4)
  const four = [later(), later(), later(), later()]
  for (const { promise } of four.slice(0, 3)) all.add(promise, 1, () => undefined)
  assert.is(all.room(), undefined)
  all.add(four[3]?.promise ?? Promise.resolve(true), 1, () => undefined)
  let hasRoom = false
  void all.room()?.then(() => (hasRoom = true))
  for (const { resolve } of four.slice(0, 2)) resolve(true)
  await turn()
  assert.is(hasRoom, false)
  four[2]?.resolve(true)
  await turn()
  assert.is(hasRoom, true)
})

it('make wait where few keep much', async () => {
  const all = verifications(100)
  const one = later()
  all.add(one.promise, 8 * 1024 * 1024, () => undefined)
  let hasRoom = false
  void all.room()?.then(() => (hasRoom = true))
  one.resolve(true)
  await turn()
  assert.is(hasRoom, true)
  assert.is(all.room(), undefined)
})

it.run()
