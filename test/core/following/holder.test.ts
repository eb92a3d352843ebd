import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failure } from '../../../core/failure.ts'
import type { FollowerOptions } from '../../../core/following/follower.ts'
import { right } from '../world/world.ts'
import { inTime, isWaiting, quiet, until } from '../world/under-way.ts'
import { gate, placeOf, rowOf, stage } from './stage.ts'

const it = suite('a follower that one of several processes runs')

/** Notes the events that this process is given. */
const noting = (throwsOn = '') => {
  const seen: string[] = []
  const handle: FollowerOptions['handle'] = (event, position) => {
    if (placeOf(event) === throwsOn) throw new Error('a bug of the handler')
    seen.push(placeOf(event))
    return rowOf(event, position)
  }
  return { seen, handle }
}

it('is run by one, and the other one is told how far that one is', async () => {
  const s = stage()
  const [first, second] = [noting(), noting()]
  const one = await s.process().follow(first)
  await quiet()
  const two = await s.process().follow(second)
  for (const organization of ['a', 'b', 'a']) await s.append(organization)
  right(await two.passed(3n)) // no timer has fired
  right(await one.passed(3n))
  assert.equal([first.seen, second.seen], [['a1', 'b1', 'a2'], []])
  assert.equal([two.checkpoint(), await s.stored(), await s.rows()], [3n, 3n, ['a1', 'b1', 'a2']])
})

it('is looked after where the store does not tell of moved checkpoints', async () => {
  const s = stage()
  const second = noting()
  const one = await s.process().follow(noting())
  await quiet()
  const other = s.process({ tellsOfMoves: false })
  const two = await other.follow(second)
  for (const organization of ['a', 'b']) await s.append(organization)
  right(await one.passed(2n))
  right(await inTime(s.clock, two.passed(2n), 5))
  assert.equal(second.seen, [])
  const before = other.faults.looks
  for (let n = 0; n < 10; n += 1) {
    s.clock.pass(100)
    await quiet()
  }
  assert.is(other.faults.looks, before, 'nobody waits, so it does not look')
})

it('tells others at once also of events that change no row', async () => {
  const s = stage()
  const one = await s.process().follow({ handle: () => [] })
  await quiet()
  const two = await s.process().follow({ handle: () => [] })
  await s.append('a')
  right(await two.passed(1n))
  assert.equal([one.checkpoint(), await s.stored()], [1n, 1n])
})

it('is taken over, from where it stands and with what is parked, when its process closes', async () => {
  const s = stage()
  const [first, second] = [noting('a2'), noting()]
  const one = await s.process().follow(first)
  await quiet()
  const two = await s.process().follow(second)
  for (const organization of ['a', 'a', 'b']) await s.append(organization)
  right(await inTime(s.clock, one.passed(3n)))
  await one.close()
  await s.append('a')
  await s.append('b')
  right(await inTime(s.clock, two.passed(5n)))
  assert.equal(second.seen, ['b2'])
  assert.equal(two.parked(), [{ organization: 'a', sequence: 2n }])
})

it('is taken over, also where nobody waits, when its process dies and its lease has ended', async () => {
  const s = stage()
  const [holder, second] = [s.process(), noting()]
  await holder.follow(noting())
  await quiet()
  const two = await s.process().follow(second)
  await quiet()
  holder.die()
  await s.append('a')
  for (let n = 0; n < 30; n += 1) {
    s.clock.pass(1_000)
    await quiet()
  }
  assert.equal([second.seen, two.checkpoint()], [['a1'], 1n])
})

it('is run without the lease by a process where somebody has waited for a second, and does no harm when the holder goes on', async () => {
  const s = stage()
  const [holder, first, second] = [s.process(), noting(), noting()]
  const one = await holder.follow(first)
  await quiet()
  const two = await s.process().follow(second)
  await quiet()
  const { closed, open } = gate()
  holder.faults.held = closed
  for (const organization of ['a', 'b']) await s.append(organization)
  const passed = two.passed(2n)
  await quiet()
  s.clock.pass(900)
  assert.is(await isWaiting(passed), true)
  s.clock.pass(100)
  right(await passed)
  assert.equal(second.seen, ['a1', 'b1'])
  open()
  delete holder.faults.held
  right(await one.passed(2n))
  await s.append('a')
  right(await inTime(s.clock, two.passed(3n)))
  right(await inTime(s.clock, one.passed(3n)))
  assert.equal([await s.rows(), one.stuck(), two.stuck()], [['a1', 'b1', 'a2'], undefined, undefined])
})

it('is run by one again after both have run it', async () => {
  const s = stage()
  const [holder, first, second] = [s.process(), noting(), noting()]
  const one = await holder.follow(first)
  await quiet()
  const two = await s.process().follow(second)
  const { closed, open } = gate()
  await quiet()
  holder.faults.held = closed
  await s.append('a')
  right(await inTime(s.clock, two.passed(1n)))
  open()
  delete holder.faults.held
  for (let n = 2; n <= 20; n += 1) {
    await s.append('a')
    right(await inTime(s.clock, one.passed(BigInt(n))))
    right(await inTime(s.clock, two.passed(BigInt(n))))
  }
  const before = second.seen.length
  for (let n = 21; n <= 40; n += 1) {
    await s.append('a')
    right(await one.passed(BigInt(n)))
    right(await inTime(s.clock, two.passed(BigInt(n))))
  }
  assert.is(second.seen.length, before)
  assert.is((await s.rows()).length, 40)
})

it('stops its work when the lease is lost, and takes none of it twice', async () => {
  const s = stage()
  const told = { isAborted: false }
  const { closed, open } = gate()
  const slow: FollowerOptions['handle'] = async (event, position, signal) => {
    signal.addEventListener('abort', () => (told.isAborted = true))
    await closed
    return { _tag: 'Right', right: rowOf(event, position) }
  }
  const second = noting()
  const holder = s.process()
  const one = await holder.follow({ handle: slow })
  await quiet()
  const two = await s.process().follow(second)
  for (const organization of ['a', 'b']) await s.append(organization)
  await quiet()
  right(await s.loseLease())
  for (let n = 0; n < 20 && !told.isAborted; n += 1) {
    s.clock.pass(1_000)
    await quiet()
  }
  assert.is(told.isAborted, true)
  right(await inTime(s.clock, two.passed(2n)))
  open()
  right(await inTime(s.clock, one.passed(2n)))
  assert.equal(
    [await s.rows(), second.seen],
    [
      ['a1', 'b1'],
      ['a1', 'b1'],
    ],
  )
})

it('throws no rows away where another process moves the checkpoint while it begins', async () => {
  const s = stage()
  await s.append('a')
  const one = await s.process().follow(noting())
  right(await inTime(s.clock, one.passed(1n)))
  const other = s.process()
  const moving = { isDone: false }
  other.faults.onCheckpointRead = async () => {
    if (moving.isDone) return
    moving.isDone = true
    await s.append('b')
    right(await inTime(s.clock, one.passed(2n)))
  }
  const second = noting()
  await other.follow(second)
  assert.equal([await s.rows(), second.seen, moving.isDone], [['a1', 'b1'], [], true])
})

it('looks again, before it says that it has passed a position, where rows are built again elsewhere', async () => {
  const s = stage()
  const one = await s.process().follow(noting())
  await quiet()
  const two = await s.process().follow(noting())
  for (const organization of ['a', 'b']) await s.append(organization)
  right(await two.passed(2n))
  right(await s.readModels.drop('follower')())
  await quiet()
  const passed = two.passed(2n)
  assert.is(await isWaiting(passed), true)
  await one.startOver()
  right(await inTime(s.clock, passed))
  assert.equal(await s.rows(), ['a1', 'b1'])
})

it('makes rows anew that a failover has lost, also where no event and no lease was lost', async () => {
  const s = stage()
  const one = await s.process().follow(noting())
  await quiet()
  for (const organization of ['a', 'b']) await s.append(organization)
  right(await one.passed(2n))
  right(await s.readModels.drop('follower')())
  for (let n = 0; n < 6; n += 1) {
    s.clock.pass(1_000)
    await quiet()
  }
  assert.equal([await s.rows(), await s.stored(), one.checkpoint()], [['a1', 'b1'], 2n, 2n])
})

it('waits without hurry while the store cannot be read, and goes on after it', async () => {
  const s = stage()
  const holder = s.process()
  const one = await holder.follow(noting())
  await quiet()
  const other = s.process({ tellsOfMoves: false })
  const two = await other.follow(noting())
  await quiet()
  other.faults.reads = failure('UNAVAILABLE', 'the database is away')
  await s.append('a')
  const passed = two.passed(1n)
  await until(() => two.stuck()?.code === 'UNAVAILABLE')
  const before = other.faults.looks ?? 0
  await quiet()
  assert.is(other.faults.looks, before)
  delete other.faults.reads
  right(await one.passed(1n))
  right(await inTime(s.clock, passed))
  assert.is(two.stuck(), undefined)
})

it('gives its lease up when it closes while it asks for it', async () => {
  const s = stage()
  const one = await s.process().follow(noting())
  await one.close() // the first question for the lease is under way
  const second = noting()
  const two = await s.process().follow(second)
  await s.append('a')
  right(await two.passed(1n)) // the lease was free
  assert.equal(second.seen, ['a1'])
})

it.run()
