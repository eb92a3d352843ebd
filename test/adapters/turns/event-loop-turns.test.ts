import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventLoopTurns } from '../../../adapters/turns/event-loop-turns.ts'
import { testClock } from '../../core/world/world.ts'

const it = suite('turns of the event loop')

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Work that takes time of the clock alone, and writes down when it was done. */
const working = () => {
  const clock = testClock()
  const { next, remembered } = eventLoopTurns(clock)
  const order: string[] = []
  const work = async (organizationId: string, ms: number): Promise<void> => {
    await next(organizationId)
    order.push(organizationId)
    clock.pass(ms)
  }
  /** While `some` is done, the event loop turns eight times in a millisecond. */
  const turningWhile = async (some: Promise<unknown>, eachTime: () => void = () => undefined): Promise<void> => {
    const going = { isOver: false }
    void some.finally(() => (going.isOver = true))
    for (; !going.isOver; await turn()) {
      eachTime()
      clock.pass(1 / 8)
    }
  }
  return { clock, next, remembered, work, order, turningWhile }
}

it('let the event loop turn often between those that take long: one connection is accepted in each turn', async () => {
  const { work, order, turningWhile } = working()
  await turningWhile(Promise.all(['a', 'b', 'c', 'd'].map((name) => work(name, 15))), () => order.push('-'))
  assert.match(order.join(''), /^-+a-{30,40}b-{30,40}c-{30,40}d-*$/)
})

it('keep those that are quick in one turn', async () => {
  const { work, order } = working()
  const all = Promise.all(Array.from({ length: 20 }, (_, n) => work(String(n), 0)))
  await turn()
  order.push('-')
  await all
  assert.is(order.indexOf('-'), 20)
})

it('prefer the organization that has used the least time', async () => {
  const { work, order, turningWhile } = working()
  const heavy = Array.from({ length: 6 }, () => work('heavy', 15))
  await turningWhile(Promise.all([...heavy, ...Array.from({ length: 20 }, () => work('light', 0))]))
  assert.ok(order.lastIndexOf('light') < order.indexOf('heavy', order.indexOf('heavy') + 1), order.join())
})

it('let those that work long rest for as long as they worked, while others come and go', async () => {
  const { clock, work, order, turningWhile } = working()
  await work('light', 0)
  const endedAtMs: number[] = []
  const heavy = async (): Promise<void> => {
    await work('heavy', 30)
    endedAtMs.push(clock.now())
  }
  await turningWhile(Promise.all([heavy(), heavy(), heavy()]), () => void work('light', 0))
  const [first = 0, second = 0, third = 0] = endedAtMs
  assert.ok(second - first >= 60 && third - second >= 60, endedAtMs.join())
  const between = order.slice(order.indexOf('heavy'), order.lastIndexOf('heavy')).filter((name) => name === 'light')
  assert.ok(between.length > 400, `the others got ${between.length} turns`)
})

it('let somebody who works long and is alone go on without a rest', async () => {
  const { work, turningWhile } = working()
  let turns = 0
  const alone = async (): Promise<void> => {
    for (let n = 0; n < 5; n += 1) await work('heavy', 20)
  }
  await turningWhile(alone(), () => (turns += 1))
  assert.ok(turns < 5 * 50, `the event loop turned ${turns} times, as it does where one waits`)
})

it('let many who work long come by turns, whoever asked first', async () => {
  const { work, order, turningWhile } = working()
  await turningWhile(Promise.all(['a', 'a', 'a', 'b', 'c', 'd'].map((name) => work(name, 12))))
  assert.is(order.slice(0, 4).join(''), 'abcd')
})

it('forget organizations that have not come for a while', async () => {
  const { clock, next, remembered } = working()
  for (let n = 0; n < 1_000; n += 1) await next(String(n))
  assert.is(remembered(), 1_000)
  await turn() // the work of the last one is over
  clock.pass(1_000)
  await next('last')
  assert.is(remembered(), 1)
})

it.run()
