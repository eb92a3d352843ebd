import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { overlaid } from '../../../adapters/store-eventstoredb/overlay.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { failsWith, right, same } from '../../../adapters/testing/expect.ts'
import type { ReadModels, RowChange, RowSelection } from '../../../core/ports/read-models.ts'

const it = suite('rows that are changed in memory only')

const P = 'p'
const organizations = ['a', 'b']
const keys = ['k1', 'k2', 'k3', 'k4', 'k5']
const place = { organization: fc.constantFrom(...organizations), key: fc.constantFrom(...keys) }
const facet = fc.constantFrom('x', 'y')
const change: fc.Arbitrary<RowChange> = fc.oneof(
  fc.record({
    ...{ _tag: fc.constant('put' as const), ...place, order: fc.bigInt(0n, 4n), value: fc.nat(9) },
    facets: fc.record({ first: facet, second: facet }, { requiredKeys: [] }),
  }),
  fc.record({ _tag: fc.constant('delete' as const), ...place }),
)
const selection: fc.Arbitrary<RowSelection> = fc.record(
  {
    ...{ limit: fc.integer({ min: 1, max: 6 }), ascending: fc.boolean(), after: fc.bigInt(0n, 4n) },
    ...{ first: fc.subarray(['x', 'y']), second: fc.subarray(['x', 'y']) },
  },
  { requiredKeys: ['limit'] },
)
const steps = fc.array(
  fc.oneof({ weight: 9, arbitrary: fc.array(change, { maxLength: 6 }) }, fc.constant('drop' as const)),
  {
    maxLength: 6,
  },
)

const play = async (
  on: Pick<ReadModels, 'checkpoint' | 'move' | 'drop'>,
  all: readonly (readonly RowChange[] | 'drop')[],
) => {
  for (const step of all) {
    if (step === 'drop') await right(on.drop(P))
    else {
      const from = await right(on.checkpoint(P))
      await right(on.move(P, from, from + 1n, step))
    }
  }
}

it('reads as if everything had been changed in one place', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(change),
      steps,
      fc.array(selection, { minLength: 1 }),
      async (first, then, selections) => {
        const [below, one] = [memoryStore().readModels, memoryStore().readModels]
        for (const models of [below, one]) await play(models, [first])
        const over = overlaid(below)
        await play(over, then)
        await play(one, then)
        assert.is(await right(over.checkpoint(P)), await right(one.checkpoint(P)))
        for (const organization of organizations) {
          for (const key of keys)
            same(await right(over.row(P, organization, key)), await right(one.row(P, organization, key)))
          for (const wanted of selections)
            same(await right(over.rows(P, organization, wanted)), await right(one.rows(P, organization, wanted)))
        }
        assert.is(await right(below.checkpoint(P)), 1n)
      },
    ),
  ))

const put = (value: string): RowChange => ({ _tag: 'put', organization: 'a', key: 'k', order: 1n, facets: {}, value })

it('forgets its changes when the rows below are changed by somebody else', async () => {
  const below = memoryStore().readModels
  const over = overlaid(below)
  await right(over.move(P, 0n, 5n, [put('above')]))
  assert.is(await right(over.row(P, 'a', 'k')), 'above')
  await right(below.move(P, 0n, 3n, [put('below')]))
  assert.is(await right(over.row(P, 'a', 'k')), 'below')
  assert.is(await right(over.checkpoint(P)), 3n)
  await failsWith('CONFLICT', over.move(P, 5n, 6n, []))
  await right(over.move(P, 3n, 4n, [put('above')]))
  await right(below.drop(P))
  assert.is(await right(over.row(P, 'a', 'k')), undefined)
})

it('takes as many changes as it may, and no more', async () => {
  const over = overlaid(memoryStore().readModels, 2)
  await right(over.move(P, 0n, 1n, [put('1')]))
  await right(over.move(P, 1n, 2n, [put('2')]))
  const other: RowChange = { _tag: 'delete', organization: 'a', key: 'another' }
  await failsWith('UNAVAILABLE', over.move(P, 2n, 3n, [put('3'), other]))
  assert.is(await right(over.row(P, 'a', 'k')), '2')
})

it.run()
