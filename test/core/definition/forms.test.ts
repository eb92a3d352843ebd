import * as t from '../../../core/codec/t.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { operation, type Operation, type OperationSpec } from '../../../core/definition/operation.ts'
import { E } from '../../../core/prelude.ts'
import { anyOrganization } from '../resources/execute.ts'

const it = suite('forms of an operation')

const Sum = t.fields({ sum: t.number })
type Spec = OperationSpec<object, { readonly sum: number }, { readonly sum: number }, undefined>

const adding = (members: Partial<Omit<Spec, 'perform'>>): Operation =>
  operation<object, { readonly sum: number }, { readonly sum: number }>({
    type: 'ACTIVITY_TYPE_ADD',
    path: 'add',
    summary: 'Adds.',
    intent: t.fields({}),
    result: Sum,
    change: Sum,
    execute: () => ({ result: { sum: 5 }, change: { sum: 5 } }),
    evolve: () => undefined,
    ...members,
  })
const giving = (sum: number): Pick<Spec, 'execute'> => ({
  execute: () => ({ result: { sum }, change: { sum } }),
})
const resultOf = (form: Operation | undefined): unknown =>
  form === undefined ? undefined : anyOrganization().execute(form, {}).result

it('are the present one alone where nothing else is said, of revision 1', () => {
  const add = adding({})
  assert.is(add.revision, 1)
  assert.is(add.formOf(1), add)
  assert.is(add.formFrom(1), add)
  assert.equal([add.formOf(2), add.formFrom(2), add.formOf(0)], [undefined, undefined, undefined])
})

it('are found by revision; what one leaves out is as in the next later one', () => {
  const params = () => ({ of: 3 })
  const add = adding({ revision: 5, earlier: { 1: giving(1), 3: { params }, 4: giving(4) } })
  assert.equal(
    [1, 2, 3, 4, 5, 6].map((one) => resultOf(add.formOf(one))),
    [{ sum: 1 }, undefined, { sum: 4 }, { sum: 4 }, { sum: 5 }, undefined],
  )
  const decoded = add.versions[0]?.decodeIntent({})
  if (decoded === undefined || E.isLeft(decoded)) throw new Error('no intent')
  assert.equal(
    [1, 3, 4, 5].map((one) => add.formOf(one)?.params(decoded.right.intent)),
    [{ of: 3 }, { of: 3 }, {}, {}],
  )
})

it('of a revision that is gone are replayed by the next later one, and none is newer than the present', () => {
  const add = adding({ revision: 5, earlier: { 3: giving(3) } })
  assert.equal(
    [1, 2, 3, 4, 5, 6].map((one) => resultOf(add.formFrom(one))),
    [{ sum: 3 }, { sum: 3 }, { sum: 3 }, { sum: 5 }, { sum: 5 }, undefined],
  )
})

it('cannot be of a revision that is none, nor of one that is not earlier', () => {
  for (const revision of [0, -1, 1.5, Number.NaN, 1e21]) assert.throws(() => adding({ revision }), /whole number/)
  for (const one of [0, 2, 3, 1.5]) assert.throws(() => adding({ revision: 2, earlier: { [one]: {} } }), /from 1 to 1/)
})

it.run()
