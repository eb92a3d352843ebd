import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failure } from '../../../core/failure.ts'
import { noParts } from '../../../core/log/parts.ts'
import { anyEvent, projection, type Projection } from '../../../core/definition/projection.ts'
import { runner } from '../../../core/projection/runner.ts'
import { codeOf, right } from '../world/world.ts'
import { inTime, isWaiting, until } from '../world/under-way.ts'
import { eventAt, positioned, scene, seen, upTo } from './scene.ts'

const it = suite('runner')

it('begins with all that there is, and goes on from its checkpoint', async () => {
  const s = await scene(1_203)
  const first = await s.run()
  right(await first.passed(1_203n))
  assert.equal(await s.rows(), upTo(1, 1_203))
  await first.close()
  await s.append(1_204)
  const second = await s.run()
  right(await second.passed(1_204n))
  assert.equal(await s.rows(), upTo(1, 1_204))
})

it('takes what it is offered without reading it back', async () => {
  const s = await scene()
  const running = await s.run()
  s.faults.reads = failure('UNAVAILABLE', 'nobody should read')
  running.offer(upTo(1, 3).map(positioned))
  running.offer([positioned(4)])
  right(await running.passed(4n))
  assert.equal(await s.rows(), upTo(1, 4))
})

it('reads what it was not offered: before, between, behind, and all of it', async () => {
  for (const offers of [[3], [1, 3], [1, 2, 4, 6], [1, 4, 5], [2, 3, 6], [6]]) {
    const s = await scene()
    const running = await s.run()
    await s.append(...upTo(1, 6))
    running.offer(offers.map(positioned))
    right(await running.passed(6n))
    assert.equal(await s.rows(), upTo(1, 6), String(offers))
  }
})

it('loses nothing when more is offered than it keeps', async () => {
  const s = await scene()
  const running = await s.run()
  let letGo = (): void => undefined
  s.faults.held = new Promise<void>((resolve) => (letGo = resolve))
  await s.append(...upTo(1, 10_700))
  running.offer([positioned(1)])
  running.offer(upTo(2, 10_300).map(positioned))
  letGo()
  await until(() => running.checkpoint() > 1_000n)
  running.offer(upTo(10_301, 10_700).map(positioned)) // there is room again, but some are missing before them
  right(await running.passed(10_700n))
  assert.equal(await s.rows(), upTo(1, 10_700))
})

it('hears of what another process wrote', async () => {
  const s = await scene(0, { soleWriter: false })
  const running = await s.run()
  await s.append(1, 2, 3)
  right(await running.passed(3n))
  assert.equal(await s.rows(), [1, 2, 3])
})

it('shares its rows with another process that runs it, too', async () => {
  const s = await scene(0, { soleWriter: false })
  const [one, two] = [await s.run(), await s.run()]
  for (const n of upTo(1, 40)) {
    await s.append(n)
    one.offer([positioned(n)])
  }
  right(await one.passed(40n))
  right(await two.passed(40n))
  assert.equal(await s.rows(), upTo(1, 40))
  assert.equal([one.stuck(), two.stuck()], [undefined, undefined])
})

it('looks whether there is more when somebody waits for it, and spins for nobody', async () => {
  const s = await scene(2)
  const running = await s.run()
  right(await running.passed(2n))
  await s.append(3) // stored, although nobody said so
  right(await running.passed(3n))
  const waits = running.passed(4n)
  assert.is(await isWaiting(waits), true)
  await s.append(4)
  running.offer([positioned(4)])
  right(await waits)
})

it('starts anew where its checkpoint is ahead of the log', async () => {
  const s = await scene(2)
  right(await s.storage.readModels.move('seen@1', 0n, 9n, seen.project(eventAt(9), 9n, noParts))())
  const running = await s.run()
  right(await running.passed(2n))
  assert.equal(await s.rows(), [1, 2])
})

it('says that it is stuck, keeps trying, and goes on', async () => {
  for (const fault of ['moves', 'reads'] as const) {
    const s = await scene(3)
    s.faults[fault] = failure('UNAVAILABLE', 'the disk is full')
    const running = await s.run()
    await until(() => running.stuck()?.code === 'UNAVAILABLE')
    const waits = running.passed(3n)
    delete s.faults[fault]
    s.clock.pass(200)
    right(await waits)
    assert.is(running.stuck(), undefined)
    assert.equal(await s.rows(), [1, 2, 3])
  }
})

it('tries again to look for what somebody waits for', async () => {
  const s = await scene(1)
  const running = await s.run()
  right(await running.passed(1n))
  await s.append(2)
  s.faults.reads = failure('UNAVAILABLE', 'not now')
  const waits = running.passed(2n)
  await until(() => running.stuck() !== undefined)
  delete s.faults.reads
  s.clock.pass(200)
  right(await waits)
})

it('is stuck at what it cannot project', async () => {
  const s = await scene(1)
  let isBroken = true
  const fragile: Projection = {
    ...seen,
    project: (event, position, parts) => {
      if (isBroken) throw new Error('secret')
      return seen.project(event, position, parts)
    },
  }
  const running = right(await runner({ storage: s.storage, clock: s.clock }, fragile))
  await until(() => running.stuck() !== undefined)
  assert.is(running.stuck()?.code, 'INTERNAL')
  assert.not.match(running.stuck()?.message ?? '', 'secret')
  isBroken = false
  s.clock.pass(200)
  right(await running.passed(1n))
})

it('hands over no event of a type that the projection does not take, and comes to the end of the log', async () => {
  const s = await scene(3)
  const picky: Projection = {
    ...seen,
    types: ['ActivityCompleted'],
    project: () => {
      throw new Error('it is not called')
    },
  }
  const running = right(await runner({ storage: s.storage, clock: s.clock }, picky))
  running.offer([positioned(4)])
  await s.append(4)
  right(await running.passed(4n))
  assert.equal([running.checkpoint(), running.parked(), await s.rows()], [4n, [], []])
  await running.close()
})

it('takes as many rows as a projection makes of one event', async () => {
  const s = await scene(1)
  const many = projection({
    name: 'many',
    version: 1,
    on: [
      anyEvent((_, { position }) =>
        upTo(1, 200_000).map((n) => ({
          _tag: 'put',
          organization: '*',
          key: `row ${n}`,
          order: position,
          facets: {},
          value: n,
        })),
      ),
    ],
  })
  const running = right(await runner({ storage: s.storage, clock: s.clock }, many))
  right(await running.passed(1n))
  assert.is(right(await s.storage.readModels.row('many@1', '*', 'row 200000')()), 200_000)
  await running.close()
})

it('parks what a projection gives that is no list of changes, and stays well', async () => {
  const s = await scene(1)
  const promising = projection({
    name: 'promising',
    version: 1,
    on: [anyEvent(() => Promise.reject(new Error('asynchronous')) as never)], // a host without our compiler can give it
  })
  const parked: unknown[] = []
  const running = right(
    await runner({ storage: s.storage, clock: s.clock, onParked: (one) => void parked.push(one) }, promising),
  )
  await inTime(s.clock, running.passed(1n))
  assert.equal(parked, [{ organization: 'organization', sequence: 1n }])
  await running.close()
})

it('lets whoever waits call it off', async () => {
  const s = await scene(1)
  const running = await s.run()
  const calledOff = new AbortController()
  const waits = running.passed(5n, calledOff.signal)
  assert.is(codeOf(await running.passed(1n)), 'no failure')
  assert.is(await isWaiting(waits), true)
  calledOff.abort()
  assert.is(codeOf(await waits), 'ABORTED')
  assert.is(codeOf(await running.passed(5n, calledOff.signal)), 'ABORTED')
  assert.is(codeOf(await running.passed(1n, calledOff.signal)), 'no failure')
  const last = running.passed(5n)
  await running.close()
  assert.is(codeOf(await last), 'UNAVAILABLE')
  assert.is(codeOf(await running.passed(5n)), 'UNAVAILABLE')
})

it.run()
