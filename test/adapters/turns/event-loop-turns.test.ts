import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventLoopTurns } from '../../../adapters/turns/event-loop-turns.ts'

const it = suite('turns of the event loop')

const busy = (ms: number): void => {
  const until = performance.now() + ms
  while (performance.now() < until);
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Work that writes down when it was done. */
const working = () => {
  const { next } = eventLoopTurns()
  const order: string[] = []
  const work = async (organizationId: string, ms: number): Promise<void> => {
    await next(organizationId)
    order.push(organizationId)
    busy(ms)
  }
  return { work, order }
}

/** Counts how often the event loop turns. */
const turning = (eachTime: () => void) => {
  const clock = { isOver: false }
  const turned = (async () => {
    for (; !clock.isOver; await turn()) eachTime()
  })()
  return {
    end: (): Promise<void> => {
      clock.isOver = true
      return turned
    },
  }
}

it('let the event loop turn often between those that take long: one connection is accepted in each turn', async () => {
  const { work, order } = working()
  const { end } = turning(() => order.push('-'))
  await Promise.all(['a', 'b', 'c', 'd'].map((name) => work(name, 15)))
  await end()
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
  const { work, order } = working()
  await Promise.all([
    ...Array.from({ length: 6 }, () => work('heavy', 15)),
    ...Array.from({ length: 20 }, () => work('light', 0)),
  ])
  assert.ok(order.lastIndexOf('light') < order.indexOf('heavy', order.indexOf('heavy') + 1), order.join())
})

it('let those that work long rest for as long as they worked, while others come and go', async () => {
  const { work, order } = working()
  await work('light', 0)
  const { end } = turning(() => void work('light', 0))
  await Promise.all(Array.from({ length: 3 }, () => work('heavy', 30)))
  await end()
  const between = order.slice(order.indexOf('heavy'), order.lastIndexOf('heavy')).filter((name) => name === 'light')
  assert.ok(between.length > 20, `the others got ${between.length} turns`)
})

it('let somebody who works long and is alone go on without a rest', async () => {
  const { work } = working()
  let turns = 0
  const { end } = turning(() => (turns += 1))
  for (let n = 0; n < 5; n += 1) await work('heavy', 20)
  await end()
  assert.ok(turns < 5 * 50, `the event loop turned ${turns} times, as it does where one waits`)
})

it('let many who work long come by turns, whoever asked first', async () => {
  const { work, order } = working()
  await Promise.all(['a', 'a', 'a', 'b', 'c', 'd'].map((name) => work(name, 12)))
  assert.is(order.slice(0, 4).join(''), 'abcd')
})

it('forget organizations that have not come for a while', async () => {
  const { next, remembered } = eventLoopTurns()
  for (let n = 0; n < 1_000; n += 1) await next(String(n))
  assert.is(remembered(), 1_000)
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  await next('last')
  assert.ok(remembered() < 10) // who was interrupted by another program seems to have worked
})

it.run()
