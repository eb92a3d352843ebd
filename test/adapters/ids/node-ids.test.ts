import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'

const it = suite('the ids of Node')

const times = <A>(count: number, make: () => A): readonly A[] => Array.from({ length: count }, make)
const timeOf = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

it('makes event ids that are UUIDs of version 7 with the time in front', () => {
  const before = Date.now()
  const id = nodeIds().eventId()
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.ok(timeOf(id) >= before && timeOf(id) <= Date.now())
})

it('makes event ids whose text grows, many in one millisecond', () => {
  const ids = nodeIds({ clock: { now: () => 1_700_000_000_000 } })
  const made = times(20_000, ids.eventId)
  assert.equal(made, made.toSorted())
  assert.is(new Set(made).size, made.length)
  assert.ok(timeOf(made.at(-1) ?? '') - 1_700_000_000_000 < 10, 'it runs a few milliseconds ahead at most')
})

it('makes event ids that grow when the clock goes back', () => {
  let now = 1_700_000_000_000
  const ids = nodeIds({ clock: { now: () => now } })
  const made = times(100, () => {
    now -= 1000
    return ids.eventId()
  })
  assert.equal(made, made.toSorted())
})

it('counts anew in each millisecond, from anywhere', () => {
  let now = 1_700_000_000_000
  const ids = nodeIds({ clock: { now: () => (now += 1) } })
  const counters = new Set(times(200, () => ids.eventId().slice(14, 18)))
  assert.ok(counters.size > 100, 'counters start at random')
})

it('makes organization ids that are UUIDs of version 4', () =>
  assert.match(nodeIds().uuid(), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/))

it('gives bytes that are not given twice, few or many', () => {
  const ids = nodeIds()
  const seen = new Set(times(2000, () => Buffer.from(ids.bytes(32)).toString('hex')))
  assert.is(seen.size, 2000)
  for (const length of [0, 1, 2048, 2049, 100_000]) assert.is(ids.bytes(length).length, length)
})

it('gives bytes that belong to the caller', () => {
  const ids = nodeIds()
  const first = ids.bytes(16)
  const copy = [...first]
  for (const bytes of times(2000, () => ids.bytes(16))) bytes.fill(1)
  assert.equal([...first], copy)
})

it.run()
