import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { sharedRoom } from '../../../adapters/http/shared-room.ts'
import { anyExchange, leave } from './exchanges.ts'

const it = suite('room of which each caller takes half')

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Enters, and tells who is inside. */
const visitors = (bytesMax: number) => {
  const space = sharedRoom(bytesMax)
  const inside: { readonly caller: string; readonly bytes: number; readonly release: () => void }[] = []
  const enter = (caller: string, bytes: number) => {
    const exchange = anyExchange()
    const entered = space.enter(caller, bytes, exchange)
    void entered.then((release) => release !== undefined && inside.push({ caller, bytes, release }))
    return { exchange, entered }
  }
  const callers = (): string => inside.map(({ caller }) => caller).join('')
  return { enter, inside, callers }
}

it('keeps half of it for the others, whatever one caller sends', async () => {
  const { enter, inside, callers } = visitors(8)
  for (let n = 0; n < 4; n += 1) enter('a', 2)
  await settle()
  assert.is(callers(), 'aa')
  enter('b', 2)
  enter('c', 2)
  await settle()
  assert.is(callers(), 'aabc')
  inside[0]?.release()
  await settle()
  assert.is(callers(), 'aabca')
})

it('lets one in alone who needs more than half, and more than all', async () => {
  for (const bytes of [5, 100]) {
    const { enter, inside, callers } = visitors(8)
    enter('a', bytes)
    enter('a', 1)
    await settle()
    assert.is(callers(), 'a')
    inside[0]?.release()
    await settle()
    assert.is(callers(), 'aa')
  }
})

it('is lost by nobody who leaves while waiting, and given whole in the end', async () => {
  const anyStep = fc.record({
    caller: fc.constantFrom('a', 'b', 'c'),
    bytes: fc.integer({ min: 1, max: 9 }),
    does: fc.constantFrom('enter', 'enter', 'leave', 'go'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 40 }), async (steps) => {
      const { enter, inside } = visitors(8)
      const waiting: ReturnType<typeof enter>[] = []
      for (const { caller, bytes, does } of steps) {
        if (does === 'leave') inside.shift()?.release()
        else if (does === 'enter') waiting.push(enter(caller, bytes))
        else {
          const first = waiting.shift()
          if (first !== undefined) leave(first.exchange)
        }
        await settle()
        const taken = (of: typeof inside): number => of.reduce((sum, each) => sum + each.bytes, 0)
        assert.ok(taken(inside) <= 8 || inside.length === 1)
        for (const one of ['a', 'b', 'c']) {
          const own = inside.filter((each) => each.caller === one)
          assert.ok(taken(own) <= 4 || own.length === 1)
        }
      }
      for (let left = inside.shift(); left !== undefined; left = inside.shift()) {
        left.release()
        await settle()
      }
      await Promise.all(waiting.map(({ entered }) => entered))
    }),
    { numRuns: 100 },
  )
})

it.run()
