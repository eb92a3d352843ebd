import * as t from '../../../core/codec/t.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { operation } from '../../../core/definition/operation.ts'
import { resource } from '../../../core/definition/resource.ts'
import { initial, state } from '../../../core/organization/state.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import { codeOf, world } from '../world/world.ts'

const it = suite('state')

const counts = state({ name: 'counts', version: 1, codec: t.mapOf(t.number), initial: () => new Map() })

it('is the initial one until somebody changes it, for each organization apart', () => {
  const [one, other] = [initial('one'), initial('other')]
  assert.is(counts.of(one).size, 0)
  counts.in(one).set('a', 1)
  assert.equal([...counts.of(one)], [['a', 1]])
  assert.is(counts.of(other).size, 0)
  assert.equal([...one.slots.keys(), ...other.slots.keys()], ['counts'])
})

it('counts how often it was handed out to be changed, and not how often it was looked at', () => {
  const draft = initial('one')
  counts.in(draft)
  counts.of(draft)
  counts.in(draft).set('a', 1)
  assert.is(draft.slots.get('counts')?.changes, 2)
})

it('refuses at once to be changed in an engine where no resource lists it: no snapshot could be read again', async () => {
  const count = operation({
    type: 'ACTIVITY_TYPE_COUNT',
    path: 'count',
    summary: 'Counts.',
    intent: t.fields({}),
    result: t.fields({}),
    change: t.fields({}),
    execute: () => ({ result: {}, change: {} }),
    evolve: (draft) => void counts.in(draft).set('a', 1),
  })
  for (const states of [[], [counts]]) {
    const w = await world({ resources: [...publicApi, resource({ name: 'counting', states, operations: [count] })] })
    assert.is(codeOf(await w.submit(w.root, 'count', {})), states.length === 0 ? 'INTERNAL' : 'no failure')
    await w.close()
  }
})

it('has one name among all that an engine has', async () => {
  const twin = state({ name: 'counts', version: 1, codec: t.mapOf(t.string), initial: () => new Map() })
  const twice = [resource({ name: 'one', states: [counts] }), resource({ name: 'other', states: [twin] })]
  const rejected: unknown = await world({ resources: [...publicApi, ...twice] }).catch((cause: unknown) => cause)
  assert.equal((rejected as { readonly message?: string }).message, 'two resources have the state counts')
})

it.run()
