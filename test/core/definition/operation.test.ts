import * as t from '../../../core/codec/t.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { operation } from '../../../core/definition/operation.ts'
import { anyOrganization } from '../resources/execute.ts'

const it = suite('operation')

const Sum = t.fields({ sum: t.number })

/** An operation of a host that has lost its types. */
const giving = (result: unknown, change: unknown) =>
  operation({
    type: 'ACTIVITY_TYPE_ADD',
    path: 'add',
    summary: 'Adds.',
    intent: t.fields({}),
    result: Sum,
    change: Sum,
    execute: () => ({ result: result as { sum: number }, change: change as { sum: number } }),
    evolve: () => undefined,
  })

it('gives result and change as its codecs write them', () => {
  const { result, change } = anyOrganization().execute(giving({ sum: 1, more: 2 }, { sum: 3 }), {})
  assert.equal([result, change], [{ sum: 1 }, { sum: 3 }])
})

// Nobody could replay it: the organization would be closed for ever.
it('refuses a result or a change that its codecs do not read', () => {
  for (const [result, change] of [
    [{ sum: 1 }, { sum: 'three' }],
    [{ sum: 1 }, {}],
    [{ sum: '1' }, { sum: 3 }],
  ])
    assert.is(anyOrganization().refuse(giving(result, change), {}).code, 'INTERNAL')
})

it.run()
