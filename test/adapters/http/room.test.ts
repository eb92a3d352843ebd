import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { room } from '../../../adapters/http/room.ts'
import { anyExchange, leave } from './exchanges.ts'

const it = suite('room')

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

it('is taken by whoever comes while enough is left', () => {
  const space = room(10)
  assert.equal([space.take(6), space.take(4), space.take(1)], [true, true, false])
  space.leave(4)
  assert.equal([space.take(5), space.take(4)], [false, true])
})

it('is taken by one alone who needs more than there is', () => {
  const space = room(10)
  assert.ok(space.take(100))
  assert.not.ok(space.take(1))
  space.leave(100)
  assert.ok(space.take(10))
})

it('is given to those who wait, when it is left', async () => {
  const space = room(10)
  space.take(10)
  const order: string[] = []
  const enter = (name: string, bytes: number) =>
    space.enter('somebody', bytes, anyExchange()).then((entered) => entered && order.push(name))
  void enter('first', 8)
  void enter('second', 2)
  void enter('third', 5)
  await settle()
  assert.equal(order, [])
  assert.ok(space.isWaitedFor())
  assert.not.ok(space.take(0), 'nobody overtakes those who wait')
  space.leave(10)
  await settle()
  assert.equal(order, ['first', 'second'])
  space.leave(8)
  await settle()
  assert.equal(order, ['first', 'second', 'third'])
  assert.not.ok(space.isWaitedFor())
})

it('lets callers take turns', async () => {
  const space = room(1)
  space.take(1)
  const order: string[] = []
  const enter = (caller: string, n: number) =>
    space.enter(caller, 1, anyExchange()).then(() => order.push(`${caller} ${n}`))
  for (const n of [1, 2, 3]) void enter('noisy', n)
  for (const n of [1, 2]) void enter('quiet', n)
  for (let left = 0; left < 5; left += 1) {
    space.leave(1)
    await settle()
  }
  assert.equal(order, ['noisy 1', 'quiet 1', 'noisy 2', 'quiet 2', 'noisy 3'])
})

it('forgets who is gone, and lets in who waited behind', async () => {
  const space = room(10)
  space.take(6)
  const [large, small] = [anyExchange(), anyExchange()]
  const entered = [space.enter('a', 9, large), space.enter('a', 4, small)]
  await settle()
  leave(large)
  assert.equal(await Promise.all(entered), [false, true])
  assert.not.ok(space.take(1))
  space.leave(6)
  space.leave(4)
  assert.ok(space.take(10), 'nothing was taken for who had gone')
})

it('lets nobody in who was gone before', async () => {
  const gone = anyExchange()
  gone.request.socket.destroy()
  assert.is(await room(10).enter('a', 1, gone), false)
})

it('is never given twice, and never lost, whoever comes and goes', async () => {
  const anyStep = fc.record({
    caller: fc.constantFrom('a', 'b', 'c'),
    bytes: fc.integer({ min: 1, max: 7 }),
    does: fc.constantFrom('enter', 'enter', 'leave', 'go'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 60 }), async (steps) => {
      const space = room(5)
      const inside: number[] = []
      const outside = new Set<ReturnType<typeof anyExchange>>()
      for (const { caller, bytes, does } of steps) {
        const [first] = outside
        if (does === 'leave') {
          const left = inside.shift()
          if (left !== undefined) space.leave(left)
        } else if (does === 'go' && first !== undefined) {
          outside.delete(first)
          leave(first)
        } else if (does === 'enter') {
          const exchange = anyExchange()
          outside.add(exchange)
          void space
            .enter(caller, bytes, exchange)
            .then((entered) => outside.delete(exchange) && entered && inside.push(bytes))
        }
        await settle()
        const taken = inside.reduce((sum, each) => sum + each, 0)
        assert.ok(taken <= 5 || inside.length === 1)
      }
      while (inside.length > 0 || outside.size > 0) {
        const left = inside.shift()
        assert.ok(left !== undefined, 'somebody waits for nobody')
        space.leave(left)
        await settle()
      }
      assert.ok(space.take(5))
    }),
    { numRuns: 100 },
  )
})

it.run()
