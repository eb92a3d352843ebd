import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { commandQueue, type CommandQueue } from '../../../core/command/command-queue.ts'
import { testClock, type TestClock } from '../world/world.ts'

const it = suite('the queue of commands')

/** Lets commands pass through one place, each of which keeps it for so long. */
const pass = async (queue: CommandQueue, clock: TestClock, ...heldMs: readonly number[]): Promise<void> => {
  for (const ms of heldMs) {
    await queue.enter('any', 'anybody')
    clock.pass(ms)
    queue.leave('any')
  }
}

it('expects a newcomer to wait as long as those before it have kept their places lately', async () => {
  const clock = testClock()
  const queue = commandQueue(1, clock)
  await pass(queue, clock, 10, 10, 10)
  assert.ok(queue.isWithin('noisy', 'ada', 0)) // the place is free
  void queue.enter('noisy', 'ada')
  assert.ok(queue.isWithin('noisy', 'grace', 0)) // nobody waits: the next place that is free is hers
  void queue.enter('noisy', 'ada')
  void queue.enter('noisy', 'ada')
  assert.ok(queue.isWithin('noisy', 'grace', 20))
  assert.not.ok(queue.isWithin('noisy', 'grace', 19))
})

it('refuses nobody of an organization that has fewer waiting commands than another one', async () => {
  const clock = testClock()
  const queue = commandQueue(1, clock)
  await pass(queue, clock, 10, 10, 10)
  for (let n = 0; n < 4; n += 1) void queue.enter('noisy', 'ada')
  for (let n = 0; n < 3; n += 1) {
    assert.ok(queue.isWithin('quiet', 'alan', 0))
    void queue.enter('quiet', 'alan')
  }
  assert.ok(queue.isWithin('quiet', 'grace', 60)) // three of each organization
  assert.not.ok(queue.isWithin('quiet', 'grace', 59))
})

it('gives a caller whose commands wait half of the time', async () => {
  const clock = testClock()
  const queue = commandQueue(1, clock)
  await pass(queue, clock, 10, 10, 10)
  for (let n = 0; n < 3; n += 1) void queue.enter('noisy', 'ada')
  assert.not.ok(queue.isWithin('noisy', 'ada', 39))
  assert.ok(queue.isWithin('noisy', 'ada', 40))
  assert.ok(queue.isWithin('noisy', 'grace', 20))
})

it('counts a command by the places that are left for it: many places at once make the wait short', async () => {
  const clock = testClock()
  const queue = commandQueue(2, clock)
  for (let n = 0; n < 2; n += 1) await queue.enter('any', 'anybody')
  clock.pass(10)
  for (let n = 0; n < 2; n += 1) queue.leave('any')
  for (let n = 0; n < 6; n += 1) void queue.enter('noisy', 'ada')
  assert.ok(queue.isWithin('noisy', 'grace', 20)) // four before it, two at a time, 10 ms each
  assert.not.ok(queue.isWithin('noisy', 'grace', 19))
})

it('forgets a stall, and sees what lasts', async () => {
  const clock = testClock()
  const queue = commandQueue(1, clock)
  await pass(queue, clock, 10, 10, 10, 5000, 10)
  for (let n = 0; n < 2; n += 1) void queue.enter('any', 'ada')
  assert.ok(queue.isWithin('any', 'grace', 10))
  for (let n = 0; n < 2; n += 1) queue.leave('any')
  await pass(queue, clock, 100, 100, 100, 100, 100)
  for (let n = 0; n < 2; n += 1) void queue.enter('any', 'ada')
  assert.not.ok(queue.isWithin('any', 'grace', 99))
})

it('lets everybody wait until it knows how long that takes, and if the clock jumps back', async () => {
  const clock = testClock()
  const queue = commandQueue(1, clock)
  for (let n = 0; n < 10; n += 1) void queue.enter('any', 'ada')
  assert.ok(queue.isWithin('any', 'ada', 0))
  clock.set(clock.now() - 1000)
  queue.leave('any')
  assert.ok(queue.isWithin('any', 'ada', 0))
})

it.run()
