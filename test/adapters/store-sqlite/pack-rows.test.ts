import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { packRows, unpackRows } from '../../../adapters/store-sqlite/pack-rows.ts'
import type { Json } from '../../../core/failure.ts'
import type { Facets, RowChange } from '../../../core/ports/read-models.ts'
import { mergedText } from '../../../core/ports/row-changes.ts'

/** Objects as our code makes them. */
const plain = <A>(members: { [K in keyof A]: fc.Arbitrary<A[K]> }) => fc.record<A>(members, { noNullPrototype: true })

const it = suite('SQLite store: packed rows')

const organization = fc.constantFrom('a', 'b')
const key = fc.constantFrom('x', 'y', 'z')
const facets: fc.Arbitrary<Facets> = fc.record(
  { first: fc.constantFrom('1', '2'), second: fc.constantFrom('3', '4') },
  { requiredKeys: [], noNullPrototype: true },
)
const members = fc.dictionary(fc.constantFrom('m', 'n'), fc.nat(9), { noNullPrototype: true })
const change: fc.Arbitrary<RowChange> = fc.oneof(
  plain({
    _tag: fc.constant('put' as const),
    organization,
    key,
    order: fc.bigInt({ min: 0n, max: 2n ** 62n }),
    facets,
    value: fc.oneof(members, fc.nat(9)),
  }),
  plain({ _tag: fc.constant('merge' as const), organization, key, facets, value: members }),
  plain({ _tag: fc.constant('delete' as const), organization, key }),
)

type Row = { readonly order: bigint; readonly facets: Facets; readonly text: string }
type Step = { readonly _tag: RowChange['_tag']; readonly organization: string; readonly key: string } & Partial<Row>

/** What the changes make of rows, one by one, as the port says it. */
const applied = (rows: ReadonlyMap<string, Row>, steps: readonly Step[]): ReadonlyMap<string, Row> => {
  const after = new Map(rows)
  for (const { _tag, organization: of, key: named, order = 0n, facets: changed = {}, text = '' } of steps) {
    const place = `${of}/${named}`
    const before = after.get(place)
    if (_tag === 'put') after.set(place, { order, facets: changed, text })
    else if (_tag === 'delete') after.delete(place)
    else if (before !== undefined) {
      const value = JSON.parse(text) as { readonly [member: string]: Json } // made from members
      after.set(place, {
        ...before,
        facets: { ...before.facets, ...changed },
        text: mergedText(before.text, value),
      })
    }
  }
  return after
}

const step = (one: RowChange): Step => (one._tag === 'delete' ? one : { ...one, text: JSON.stringify(one.value) })

it('make of every table what the changes make of it one by one, and change each row once', () =>
  fc.assert(
    fc.property(fc.array(change), fc.array(change, { maxLength: 12 }), (earlier, changes) => {
      const rows = applied(new Map(), earlier.map(step))
      const unpacked = unpackRows(structuredClone(packRows(changes)))
      assert.equal(applied(rows, unpacked), applied(rows, changes.map(step)))
      assert.is(new Set(unpacked.map((one) => `${one.organization}/${one.key}`)).size, unpacked.length)
    }),
  ))

it.run()
