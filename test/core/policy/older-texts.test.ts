import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compileCondition, compileConsensus, evaluate, languageOf } from '../../../core/policy/expression.ts'
import { anyFacts, anyUserFact, compiled } from './any.ts'

/* Texts that policies could have before the language knew transactions and structs: they mean what they meant. */
const it = suite('texts of older policies')

const condition = (text: string, params: Readonly<Record<string, string | number | readonly string[]>>): unknown => {
  const evaluated = evaluate(compiled(compileCondition(text)), anyFacts({ activity: { params } }))
  return evaluated._tag === 'value' ? evaluated.value : evaluated._tag
}

it('may have variables with the names of later keywords', () => {
  for (const name of [
    'wallet',
    'wallets',
    'eth',
    'solana',
    'secret',
    'private_key',
    'tron',
    'tempo',
    'bitcoin',
    'time',
  ])
    assert.is(condition(`activity.params.ids.any(${name}, ${name} == 'a')`, { ids: ['b', 'a'] }), true, name)
  const both = anyFacts({ approvers: [anyUserFact({ id: 'ada' })] })
  assert.equal(evaluate(compiled(compileConsensus("approvers.all(wallet, wallet.id == 'ada')")), both), {
    _tag: 'value',
    value: true,
  })
  assert.is(compileCondition('[1].any(activity, true)')._tag, 'Left')
})

it('may compare parameters that other operations give as structs', () => {
  for (const name of ['transfer', 'signatures', 'claim', 'lightning_receive']) {
    assert.is(condition(`activity.params.${name} > 5`, { [name]: 6 }), true)
    assert.is(condition(`activity.params.${name} == 'a' && '${name}' != ''`, { [name]: 'a' }), true)
    assert.is(condition(`activity.params.${name} in ['a'] || activity.params.${name}[0] == 'b'`, { [name]: 'a' }), true)
    assert.is(condition(`activity.params.${name}.any(x, x == 'a')`, { [name]: ['a'] }), true)
    assert.is(condition(`[activity.params.${name}, 'a'].contains('a')`, { [name]: 'b' }), true)
    assert.is(condition(`activity.params.${name}.count == 1`, { [name]: ['a'] }), true)
  }
})

it('keep the types that a host gives its parameters', () => {
  const host = languageOf({ params: { transfer: 'int' } })
  assert.is(host.condition('activity.params.transfer < 5')._tag, 'Right')
  assert.is(host.condition('activity.params.transfer.threshold < 5')._tag, 'Left')
})

it('err where two values are structs, or a key is a string, that the policy does not give', () => {
  const facts = anyFacts({ activity: { params: { a: { x: 1 }, b: { x: 1 }, list: [{ x: 1 }], key: 'x' } } })
  for (const text of [
    'activity.params.a == activity.params.b',
    'activity.params.a != activity.params.b',
    'activity.params.a in activity.params.list',
    'activity.params.list == activity.params.list',
    'activity.params.a[activity.params.key] == 1',
    "['x'].any(key, activity.params.list[0][activity.params.key] == 1)",
  ])
    assert.is(evaluate(compiled(compileCondition(text)), facts)._tag, 'error', text)
})

it.run()
