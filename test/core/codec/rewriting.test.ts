import fc from 'fast-check'
import * as t from 'io-ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { defaulted } from '../../../core/codec/defaulted.ts'
import { described, named } from '../../../core/codec/described.ts'
import { fields, list } from '../../../core/codec/fields.ts'
import { rewriting } from '../../../core/codec/rewriting.ts'
import type { Json } from '../../../core/failure.ts'

const it = suite('rewriting what a codec has written')

const Price = named('Price', fields({ cents: t.number }))
const rewritten = (inside: t.Mixed, written: Json): Json | undefined =>
  rewriting(inside, Price, (price) => ({ ...(price as { readonly cents: number }), currency: 'EUR' }))?.(written)

const PRICE = { cents: 7 }
const EUROS = { cents: 7, currency: 'EUR' }

it('finds the values of a codec wherever another codec has it', () => {
  const cases: readonly (readonly [t.Mixed, Json, Json])[] = [
    [Price, PRICE, EUROS],
    [described(Price, 'a price'), PRICE, EUROS],
    [defaulted(Price, { cents: 0 }), PRICE, EUROS],
    [fields({ a: Price, b: t.number }), { a: PRICE, b: 1 }, { a: EUROS, b: 1 }],
    [fields({}, { a: Price, b: Price }), { b: PRICE }, { b: EUROS }],
    [t.readonlyArray(Price), [PRICE, PRICE], [EUROS, EUROS]],
    [t.array(t.readonly(t.strict({ a: Price }))), [{ a: PRICE }], [{ a: EUROS }]],
    [list(fields({ a: Price })), [{ a: PRICE }], [{ a: EUROS }]],
    [t.partial({ a: Price }), {}, {}],
    [t.record(t.string, Price), { x: PRICE }, { x: EUROS }],
    [t.intersection([t.type({ a: Price }), t.type({ b: Price })]), { a: PRICE, b: PRICE }, { a: EUROS, b: EUROS }],
    [t.union([t.null, Price]), PRICE, EUROS],
    [t.union([t.null, Price]), null, null],
    [t.union([t.string, fields({ a: Price })]), 'a', 'a'],
  ]
  for (const [inside, before, after] of cases) assert.equal(rewritten(inside, before), after, inside.name)
})

it('has nothing to do where the codec is not part of the other one', () => {
  for (const inside of [
    t.string,
    t.unknown,
    fields({ a: fields({ cents: t.number }) }),
    t.array(t.union([t.null, t.number])),
  ])
    assert.is(
      rewriting(inside, Price, (price) => price),
      undefined,
    )
})

it('changes nothing of the written value, and gives it back if there is nothing to change', () =>
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer(), fc.string())), (made) => {
      const written = made.map(([cents, b]) => ({ a: { cents }, b }))
      const before = structuredClone(written)
      const inside = t.array(fields({ a: Price, b: t.string }))
      assert.equal(rewriting(inside, Price, (price) => price)?.(written), before)
      rewritten(inside, written)
      assert.equal(written, before)
    }),
  ))

it.run()
