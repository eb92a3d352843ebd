import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeUtf8 } from '../../../core/bytes.ts'
import { anyEvent, projection, type Projection } from '../../../core/definition/projection.ts'
import { failure } from '../../../core/failure.ts'
import { runner, type Runner } from '../../../core/projection/runner.ts'
import { right } from '../world/world.ts'
import { inTime, until } from '../world/under-way.ts'
import { placeOf, rowOf, stage } from './stage.ts'

const it = suite('a projection that two processes run, and what it threw on')

/** A projection that throws on one event, until it is mended. */
const fragile = (breaksAt: string) => {
  const state = { isMended: false }
  const list: Projection = projection({
    name: 'list',
    version: 1,
    on: [
      anyEvent((event, { position }) => {
        if (!state.isMended && placeOf(event) === breaksAt) throw new Error('a bug of the projection')
        return rowOf(event, position)
      }),
    ],
  })
  return { state, list }
}

const whole = fragile('').list

const runOn = async (
  { clock }: ReturnType<typeof stage>,
  { storage }: ReturnType<ReturnType<typeof stage>['view']>,
  of: Projection,
): Promise<Runner> => right(await runner({ storage, clock }, of))

it('takes nothing that stands behind what another process parked', async () => {
  const s = stage()
  const { list } = fragile('a2')
  const [one, two] = [await runOn(s, s.view(), list), await runOn(s, s.view(), whole)]
  for (const organization of ['a', 'a', 'b']) await s.append(organization)
  right(await inTime(s.clock, one.passed(3n)))
  assert.equal(one.parked(), [{ organization: 'a', sequence: 2n }])
  await s.append('a')
  await s.append('b')
  two.offer(s.all)
  right(await inTime(s.clock, two.passed(5n)))
  assert.equal(await s.rows('list@1'), ['a1', 'b1', 'b2'])
  assert.equal(two.parked(), [{ organization: 'a', sequence: 2n }])
})

it('takes what another process has released', async () => {
  const s = stage()
  const { state, list } = fragile('a2')
  const one = await runOn(s, s.view(), list)
  for (const organization of ['a', 'a', 'b']) await s.append(organization)
  right(await inTime(s.clock, one.passed(3n)))
  const two = await runOn(s, s.view(), list)
  assert.is(two.holds('a'), true)
  state.isMended = true
  assert.equal(right(await one.retryParked()), [])
  await s.append('a')
  right(await inTime(s.clock, two.passed(4n)))
  assert.equal(await s.rows('list@1'), ['a1', 'a2', 'b1', 'a3'])
})

it('knows soon that another process has released an organization, although nothing comes', async () => {
  const s = stage()
  const { state, list } = fragile('a1')
  const one = await runOn(s, s.view(), list)
  await s.append('a')
  right(await inTime(s.clock, one.passed(1n)))
  const two = await runOn(s, s.view(), list)
  state.isMended = true
  assert.equal(right(await one.retryParked()), [])
  await until(() => !two.holds('a'))
  assert.equal(two.parked(), [])
})

it('loses nothing where an organization is released in the moment in which more of it is held back', async () => {
  const s = stage()
  const { state, list } = fragile('a2')
  const one = await runOn(s, s.view(), list)
  for (const organization of ['a', 'a', 'b']) await s.append(organization)
  right(await inTime(s.clock, one.passed(3n)))
  const view = s.view()
  const two = await runOn(s, view, list)
  await s.append('a')
  state.isMended = true
  // The other process has read what is parked, and goes on from there.
  view.faults.onParkedRead = async () => {
    delete view.faults.onParkedRead
    right(await one.retryParked())
  }
  right(await inTime(s.clock, two.passed(4n)))
  assert.equal(await s.rows('list@1'), ['a1', 'a2', 'b1'])
  assert.equal(right(await one.retryParked()), [])
  assert.equal(await s.rows('list@1'), ['a1', 'a2', 'b1', 'a3'])
})

it('tries again what is parked from where the other process is', async () => {
  const s = stage()
  const { state, list } = fragile('a1')
  const one = await runOn(s, s.view(), list)
  await s.append('a')
  right(await inTime(s.clock, one.passed(1n)))
  const two = await runOn(s, s.view(), list)
  for (const organization of ['b', 'a']) await s.append(organization)
  right(await inTime(s.clock, two.passed(3n)))
  state.isMended = true
  assert.equal(right(await one.retryParked()), [])
  assert.equal(await s.rows('list@1'), ['a1', 'b1', 'a2'])
})

it('stores what it parked when the store answers again, and tells of it then', async () => {
  const s = stage()
  const view = s.view()
  const told: unknown[] = []
  view.faults.moves = failure('UNAVAILABLE', 'the disk is full')
  const onParked = (parked: unknown): void => void told.push(parked)
  const one = right(await runner({ storage: view.storage, clock: s.clock, onParked }, fragile('a1').list))
  await s.append('a')
  const passed = one.passed(1n)
  await until(() => {
    s.clock.pass(200)
    return one.stuck()?.code === 'UNAVAILABLE'
  })
  assert.equal(told, [])
  delete view.faults.moves
  right(await inTime(s.clock, passed))
  await one.close()
  const next = await runOn(s, s.view(), whole)
  const parked = [{ organization: 'a', sequence: 1n }]
  assert.equal([next.parked(), told], [parked, parked])
})

it('parks an organization with an event that this version cannot read, and lets others go on', async () => {
  const s = stage()
  const { state, list } = fragile('c1')
  const one = await runOn(s, s.view(), list)
  await s.append('a')
  await s.append('a', encodeUtf8('{"type":"ActivityPostponed","version":7}'))
  for (const organization of ['a', 'b', 'c']) await s.append(organization)
  right(await inTime(s.clock, one.passed(5n)))
  assert.equal(await s.rows('list@1'), ['a1', 'b1'])
  assert.equal(one.stuck(), undefined)
  state.isMended = true
  assert.equal(right(await one.retryParked()), [{ organization: 'a', sequence: 2n }])
  assert.equal(await s.rows('list@1'), ['a1', 'b1', 'c1'])
})

it.run()
