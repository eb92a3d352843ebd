import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { worker } from '../../../core/following/worker.ts'
import { quiet } from '../world/under-way.ts'
import { testClock } from '../world/world.ts'

const it = suite('worker')

it('does one job at a time, until there is nothing to do', async () => {
  let left = 3
  let atOnce = 0
  const job = async () => {
    atOnce += 1
    assert.is(atOnce, 1)
    await quiet()
    atOnce -= 1
    left -= 1
  }
  const working = worker({ clock: testClock(), hasWork: () => left > 0, job, onThrown: () => assert.unreachable() })
  working.wake()
  working.wake()
  await working.idle()
  assert.is(left, 0)
})

it('goes on after a rest, also where another job was under way when the rest ended', async () => {
  const clock = testClock()
  let jobs = 0
  let finish: (() => void) | undefined
  const working = worker({
    clock,
    hasWork: () => true,
    job: async () => {
      jobs += 1
      working.rest()
    },
    onThrown: () => assert.unreachable(),
  })
  working.wake()
  await quiet()
  clock.pass(200)
  await quiet()
  assert.is(jobs, 2, 'after a rest')
  working.run(() => new Promise<void>((resolve) => (finish = resolve)))
  clock.pass(200)
  await quiet()
  assert.is(jobs, 2, 'one job at a time')
  finish?.()
  await quiet()
  assert.is(jobs, 3, 'the rest was over')
  await working.close(0)
})

it('tells that a job threw, and goes on', async () => {
  let left = 2
  let thrown = 0
  const job = async () => {
    left -= 1
    throw new Error('a bug')
  }
  const working = worker({ clock: testClock(), hasWork: () => left > 0, job, onThrown: () => (thrown += 1) })
  working.wake()
  await quiet()
  assert.equal([left, thrown], [0, 2])
})

it('begins nothing after it was closed', async () => {
  let jobs = 0
  const job = async () => void (jobs += 1)
  const working = worker({ clock: testClock(), hasWork: () => jobs < 5, job, onThrown: () => undefined })
  assert.is(await working.close(10), true)
  working.wake()
  await quiet()
  assert.is(jobs, 0)
})

it.run()
