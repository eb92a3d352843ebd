import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { isNamedByUuids } from '../../../core/log/event-guards.ts'
import { idTable } from '../../../core/log/id-table.ts'

const it = suite('id table')

it('holds what a map holds', () => {
  const ids = fc.oneof(fc.uuid(), fc.constant('00000000-0000-0000-0000-000000000000'))
  fc.assert(
    fc.property(fc.array(fc.tuple(ids, fc.integer({ min: 1, max: 2 ** 32 - 1 })), { maxLength: 100 }), (entries) => {
      const table = idTable(nodeIds())
      const map = new Map<string, number>()
      for (const [id, value] of entries) {
        assert.is(table.put(0, id, value), map.get(id) ?? 0)
        map.set(id, value)
      }
      assert.is(table.size, map.size)
      for (const [id, value] of map) assert.is(table.get(0, id), value)
    }),
  )
})

it('takes exactly the names that a line can have', () => {
  const table = idTable(nodeIds())
  const takes = (id: string): boolean => {
    try {
      table.put(0, id, 1)
      return true
    } catch {
      return false
    }
  }
  const changed = fc
    .tuple(fc.uuid(), fc.nat(36), fc.nat(2), fc.string({ unit: 'binary', maxLength: 2 }))
    .map(([id, at, remove, insert]) => id.slice(0, at) + insert + id.slice(at + remove))
  const ids = fc.oneof(
    fc.uuid(),
    fc.stringMatching(/^[0-9a-fA-F-]{36}$/),
    fc.uuid().map((id) => id.toUpperCase()),
    changed,
    fc.constantFrom('', 'everything holds', '0'.repeat(36), '-'.repeat(36)),
  )
  fc.assert(
    fc.property(ids, (id) => assert.is(takes(id), isNamedByUuids({ organization: id, activity: id, id }))),
    { numRuns: 2000 },
  )
})

it('grows', () => {
  const table = idTable(nodeIds())
  const id = (n: number): string => `0199b0e0-0000-7000-8000-${n.toString(16).padStart(12, '0')}`
  for (let n = 0; n < 20_000; n += 1) table.put(7, id(n), n + 1)
  assert.is(table.size, 20_000)
  for (let n = 0; n < 20_000; n += 1) assert.is(table.get(7, id(n)), n + 1)
  assert.is(table.get(7, id(20_000)), 0)
  assert.is(table.get(8, id(1)), 0)
})

it.run()
