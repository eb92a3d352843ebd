import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failure } from '../../../core/failure.ts'
import { LEASE_MS } from '../../../core/leasing/leasing.ts'
import { memoryLeases } from '../../../core/leasing/memory-leases.ts'
import type { Leases } from '../../../core/ports/leases.ts'
import { E } from '../../../core/prelude.ts'
import { right, testClock } from '../world/world.ts'
import { inTime, quiet, until } from '../world/under-way.ts'
import { storyOf } from './history.ts'
import { RESUME_AFTER_MS, type NoticeOptions } from './notice.ts'
import { awaited, board, done, down, office } from './office.ts'

const it = suite('effects outside, and leases')

/** Two processes on one store with leases. The first one can be cut off from the leases, as if it were dead. */
const twoProcesses = async (notice: Partial<NoticeOptions> = {}) => {
  const clock = testClock()
  const real = memoryLeases(clock.now)
  let isCutOff = false
  const leases: Leases = {
    ...real,
    renew: (...asked) => (isCutOff ? async () => E.left(failure('UNAVAILABLE', 'cut off')) : real.renew(...asked)),
  }
  const { outcome, answer } = awaited()
  const [there, here] = [board(outcome), board()]
  const w = await office(
    { run: there.run, ...notice },
    { waitForEffectsMs: 0, isShared: true, leases, testClock: clock },
  )
  await w.restart({ run: here.run, ...notice }, { store: { ...w.store, leases: real } })
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 2_500) {
      clock.pass(2_500)
      await quiet()
    }
  }
  await pass(2_500)
  const { id } = right(await inTime(clock, w.post(), 0))
  await until(() => there.asked.length === 1)
  return { ...w, there, here, answer, pass, id, cutOff: () => (isCutOff = true) }
}

it('are not taken up while another process works on them, however long that takes', async () => {
  const w = await twoProcesses()
  await w.pass(3 * RESUME_AFTER_MS)
  assert.is(w.here.asked.length, 0)
  w.answer(done)
  await until(async () => (await storyOf(w, w.id)).length > 2)
  await w.pass(LEASE_MS)
  assert.equal(await storyOf(w, w.id), ['Created', 'Started', 'Completed'])
  assert.equal([w.there.asked.length, w.here.asked.length], [1, 0])
})

it('are taken up when the process that worked on them is gone', async () => {
  const w = await twoProcesses()
  w.cutOff()
  await w.pass(RESUME_AFTER_MS + 2 * LEASE_MS)
  await until(async () => (await storyOf(w, w.id)).length > 3)
  assert.equal(await storyOf(w, w.id), ['Created', 'Started', 'Started', 'Completed'])
  assert.equal(
    w.here.asked.map(({ attempt }) => attempt),
    [2],
  )
  w.answer(done) // it was frozen, and wakes: what it brings is too late
  await quiet()
  assert.equal(await storyOf(w, w.id), ['Created', 'Started', 'Started', 'Completed'])
})

it('are called interrupted only when nobody works on them any more', async () => {
  const slow = await twoProcesses({ whenInterrupted: 'fail' })
  await slow.pass(3 * RESUME_AFTER_MS)
  assert.equal(await storyOf(slow, slow.id), ['Created', 'Started'])
  slow.answer(done)
  await until(async () => (await storyOf(slow, slow.id)).length > 2)
  assert.equal(await storyOf(slow, slow.id), ['Created', 'Started', 'Completed'])
  const dead = await twoProcesses({ whenInterrupted: 'fail' })
  dead.cutOff()
  await dead.pass(RESUME_AFTER_MS + 2 * LEASE_MS)
  await until(async () => (await storyOf(dead, dead.id)).length > 2)
  assert.equal([await storyOf(dead, dead.id), dead.here.asked.length], [['Created', 'Started', 'Failed'], 0])
})

it('are not forgotten if the next attempt is due while the lease of the one before is still being given up', async () => {
  const clock = testClock()
  const real = memoryLeases(clock.now)
  let letGo = (): void => undefined
  const isLetGo = new Promise<void>((resolve) => (letGo = resolve))
  const leases: Leases = {
    ...real,
    giveUp: (lease) => async () => {
      await isLetGo // the database does not answer for a while
      return real.giveUp(lease)()
    },
  }
  const { run, asked } = board(down)
  const w = await office({ run }, { waitForEffectsMs: 0, isShared: true, leases, testClock: clock })
  const { id } = right(await inTime(clock, w.post(), 0))
  await until(() => asked.length === 1)
  await quiet()
  clock.pass(RESUME_AFTER_MS)
  await quiet()
  letGo()
  await until(async () => (await storyOf(w, id)).length > 3)
  assert.equal(await storyOf(w, id), ['Created', 'Started', 'Started', 'Completed'])
  assert.is(asked.length, 2)
})

it('are left to who works on them, if this process stood still behind its own start', async () => {
  const clock = testClock()
  const real = memoryLeases(clock.now)
  let isTaken = false
  const leases: Leases = {
    ...real,
    take: (name, forMs) => async () => {
      const isOfEffect = !name.startsWith('follower ')
      if (isOfEffect && !isTaken) await real.take(name, forMs)() // another process has taken it up meanwhile
      isTaken ||= isOfEffect
      return real.take(name, forMs)()
    },
  }
  const { run, asked } = board()
  const w = await office({ run }, { waitForEffectsMs: 0, isShared: true, leases, testClock: clock })
  const { id } = right(await inTime(clock, w.post(), 0))
  await quiet()
  assert.equal([await storyOf(w, id), asked.length], [['Created', 'Started'], 0])
  for (let passed = 0; passed < RESUME_AFTER_MS + 2 * LEASE_MS; passed += 2_500) {
    clock.pass(2_500) // the other one dies
    await quiet()
  }
  await until(async () => (await storyOf(w, id)).length > 3)
  assert.equal([await storyOf(w, id), asked.length], [['Created', 'Started', 'Started', 'Completed'], 1])
})

it.run()
