import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../../core/failure.ts'
import { compileCondition, evaluate } from '../../../core/policy/expression.ts'
import { anyFacts, compiled } from './any.ts'

const it = suite('equality of structs')

const outcome = (text: string, params: Readonly<Record<string, Json>>): boolean | string => {
  const evaluated = evaluate(compiled(compileCondition(text)), anyFacts({ activity: { params } }))
  return evaluated._tag === 'value' ? evaluated.value : evaluated.reason
}

const reason = (text: string, params: Readonly<Record<string, Json>>): string => `${outcome(text, params)}`

const nested = (levels: number): Json => (levels === 0 ? 1 : { a: nested(levels - 1) })

it('ends for structs of any depth, and never throws', () => {
  const text = '{ a: activity.params.x } == { a: activity.params.y }'
  assert.is(outcome(text, { x: nested(50), y: nested(50) }), true)
  assert.is(outcome(text, { x: nested(50), y: nested(51) }), 'expected two values of one type to compare')
  assert.is(outcome(text, { x: nested(5000), y: nested(5000) }), 'expected structs of fewer levels')
})

it('pays for the members of what it compares', () => {
  const wide = Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`m${at}`, 1]))
  assert.match(reason('{ a: activity.params.x } == { a: activity.params.x }', { x: wide }), /100000 steps/)
  const long = Array.from({ length: 200_000 }, () => 1)
  assert.match(reason('{ a: activity.params.x } == { a: activity.params.x }', { x: long }), /100000 steps/)
})

it('takes members of any name', () => {
  const params = JSON.parse('{"x": {"__proto__": 1, "constructor": 2}}') as { x: Json }
  assert.is(outcome('activity.params.x == { __proto__: 1, constructor: 2 }', params), true)
  assert.is(outcome('activity.params.x == { __proto__: 2, constructor: 2 }', params), false)
  assert.is(outcome('{ __proto__: 1 }.__proto__ == 1', {}), true)
  assert.match(reason('activity.params.x == { toString: 1, valueOf: 2 }', params), /one type/)
  assert.match(reason("activity.params.x['toString'] == 1", params), /missing field: toString/)
})

it('leaves what a request holds out of its reasons', () => {
  const params = { x: { topsecret: 1 }, key: 'topsecret', y: {} }
  for (const text of [
    'activity.params.x == { a: 1 }',
    'activity.params.y[activity.params.key] == 1',
    'activity.params.key[activity.params.key] == 1',
  ]) {
    assert.type(outcome(text, params), 'string')
    assert.not.match(reason(text, params), /topsecret/)
  }
})

it('treats a member that is null or not there alike', () => {
  assert.is(outcome('activity.params.x == { a: 1 }', { x: { a: 1, b: null } }), true)
  assert.match(reason('activity.params.x == { a: 1 }', { x: { a: null } }), /one type/)
})

it('looks at every member, also behind a difference', () => {
  assert.match(reason("activity.params.x == { a: 2, b: 'x' }", { x: { a: 1, b: true } }), /one type/)
  assert.match(reason('activity.params.x == { a: [2, 1] }', { x: { a: [1, true] } }), /one type/)
})

it.run()
