import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failure } from '../../../core/failure.ts'
import { right } from '../world/world.ts'
import { isWaiting, until } from '../world/under-way.ts'
import { positioned, scene, upTo } from './scene.ts'

const it = suite('runner that nobody waits for')

const gate = (): { readonly closed: Promise<void>; readonly open: () => void } => {
  let open = (): void => undefined
  const closed = new Promise<void>((resolve) => (open = resolve))
  return { closed, open: () => open() }
}

it('begins by itself with all that there is', async () => {
  const s = await scene(1_203)
  const running = await s.run()
  await until(() => running.checkpoint() === 1_203n)
  assert.equal(await s.rows(), upTo(1, 1_203))
})

it('works in what another process wrote', async () => {
  const s = await scene(0, { soleWriter: false })
  const running = await s.run()
  await s.append(1, 2, 3)
  await until(() => running.checkpoint() === 3n)
  assert.equal(await s.rows(), [1, 2, 3])
})

it('takes a single event that it is offered without reading it back', async () => {
  const s = await scene()
  const running = await s.run()
  s.faults.reads = failure('UNAVAILABLE', 'nobody should read')
  running.offer([positioned(1)])
  s.clock.pass(1_000)
  await until(() => running.checkpoint() === 1n)
  assert.equal(await s.rows(), [1])
})

it('says how many events are not in the rows yet', async () => {
  const s = await scene(2)
  const { closed, open } = gate()
  s.faults.held = closed
  const running = await s.run()
  assert.is(running.lag(), 2)
  running.offer([positioned(3)])
  assert.is(running.lag(), 3)
  open()
  await s.append(3)
  right(await running.passed(3n))
  assert.is(running.lag(), 0)
})

it('finishes the batch under way when it is closed', async () => {
  const s = await scene(3)
  const { closed, open } = gate()
  s.faults.held = closed
  const running = await s.run()
  const closing = running.close()
  assert.is(await isWaiting(closing), true)
  open()
  await closing
  assert.equal(await s.rows(), [1, 2, 3])
  assert.is(right(await s.storage.readModels.checkpoint('seen@1')()), 3n)
})

it('tries again what is parked when the batch under way is done', async () => {
  const s = await scene(3)
  const { closed, open } = gate()
  s.faults.held = closed
  const running = await s.run()
  const retried = running.retryParked()
  assert.is(await isWaiting(retried), true)
  open()
  assert.equal(right(await retried), [])
  assert.equal(await s.rows(), [1, 2, 3])
  assert.equal(right(await running.retryParked()), [])
})

it('does not miss what it is offered while it looks whether there is more', async () => {
  const s = await scene()
  const running = await s.run()
  const { closed, open } = gate()
  s.faults.late = closed
  const waits = running.passed(1n)
  assert.is(await isWaiting(waits), true) // the store has nothing, and is about to say so
  await s.append(1)
  running.offer([positioned(1)])
  open()
  right(await waits)
})

it('lets each wait for its own position', async () => {
  const s = await scene(1)
  const running = await s.run()
  const [one, two] = [running.passed(1n), running.passed(2n)]
  right(await one)
  assert.is(await isWaiting(two), true)
  await s.append(2)
  running.offer([positioned(2)])
  right(await two)
})

it.run()
