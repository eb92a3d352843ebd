import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { frozen, isSameValue } from '../../../core/definition/frozen.ts'

const it = suite('frozen copies')

const plain = fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, maxDepth: 3 })

it('say the same as what they were taken from, and share nothing with it', () =>
  fc.assert(
    fc.property(plain, (value) => {
      const copy = frozen(value)
      assert.ok(isSameValue(copy, frozen(value)))
      if (typeof value === 'object' && value !== null) assert.ok(copy !== value)
    }),
  ))

it('do not move with it, and cannot be changed', () => {
  const state = { users: new Map([['ada', { tags: ['one'] }]]), keys: new Uint8Array([1]), at: new Date(0) }
  const copy = frozen(state)
  state.users.get('ada')?.tags.push('two')
  state.users.set('grace', { tags: [] })
  state.keys[0] = 2
  assert.equal([copy.users.size, copy.users.get('ada'), copy.keys[0]], [1, { tags: ['one'] }, 1])
  assert.throws(() => copy.users.get('ada')?.tags.push('three'), TypeError)
  assert.throws(() => Object.assign(copy, { at: 1 }), TypeError)
})

it('are compared by what they say', () => {
  const same: readonly (readonly [unknown, unknown])[] = [
    [
      { a: 1, b: [2] },
      { b: [2], a: 1 },
    ],
    [new Map([['a', new Set([1])]]), new Map([['a', new Set([1])]])],
    [Number.NaN, Number.NaN],
    [0, -0],
    [new Uint8Array([1, 2]), new Uint8Array([1, 2])],
  ]
  for (const [a, b] of same) assert.is(isSameValue(a, b), true)
  const different: readonly (readonly [unknown, unknown])[] = [
    [{ a: 1 }, { a: 1, b: undefined }],
    [[1], { 0: 1 }],
    [new Map([['a', 1]]), new Map([['a', 2]])],
    [new Set([1]), new Set([2])],
    [new Date(0), new Date(1)],
    [new Uint8Array([1]), [1]],
    [1n, 1],
    [null, {}],
    ['1', 1],
  ]
  for (const [a, b] of different) assert.is(isSameValue(a, b), false)
})

it('are not made of what has no plain copy', () => {
  const deep = JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`) as unknown
  for (const value of [() => 1, { f: () => 1 }, Symbol('a'), new URL('a:b'), [Promise.resolve()], new WeakMap(), deep])
    assert.throws(() => frozen(value), TypeError)
})

it.run()
