import * as t from '../../../../core/codec/t.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { catalogue } from '../../../../core/definition/catalogue.ts'
import { operation } from '../../../../core/definition/operation.ts'
import { resource } from '../../../../core/definition/resource.ts'
import { publicApi } from '../../../../core/resources/public-api.ts'
import { policyWarnings } from '../../../../core/resources/policy/policy-warnings.ts'
import { publicOperations, withHost } from '../../world/with-host.ts'
import { right } from '../../world/world.ts'

const it = suite('warnings of policies of an engine')

const everyOf = (condition: string) => policyWarnings(right(catalogue(publicApi))).of({ condition, consensus: '' })

it('know what each operation of the public API is called', () => {
  for (const { resource, action, versions, kind } of publicOperations) {
    if (resource === undefined) continue
    const types = versions.map(({ type }) => `'${type}'`).join()
    const named = `activity.resource == '${resource}' && activity.action == '${action}' && activity.kind == '${kind}'`
    assert.equal(everyOf(`${named} && activity.type in [${types}]`), [])
  }
  assert.equal(everyOf("activity.resource == 'NOTHING'"), ["condition: no operation has the resource 'NOTHING'"])
})

it('know the parameters that operations show: they are the ones that are declared, which the reference lists', () => {
  for (const { path, paramNames } of publicOperations) assert.ok(paramNames, `${path} does not name its parameters`)
  const shown = [...new Set(publicOperations.flatMap(({ paramNames = [] }) => paramNames))]
  for (const name of ['api_key_ids', 'authenticator_ids', 'user_id', 'user_ids']) assert.ok(shown.includes(name), name)
  for (const name of shown) assert.equal(everyOf(`activity.params.${name} == 'a'`), [], name)
  assert.equal(everyOf("activity.params.user == 'a'"), ["condition: no operation shows the parameter 'user'"])
})

it('say nothing of parameters where an operation of the host shows some and does not name them', () => {
  const [first] = publicOperations
  if (first === undefined) throw new Error('no operation')
  const own = { ...first, type: 'ACTIVITY_TYPE_OWN', path: 'own', versions: [], paramNames: undefined }
  const warnings = policyWarnings(right(catalogue(withHost([own]))))
  assert.equal(warnings.of({ condition: "activity.params.user == 'a'", consensus: '' }), [])
  const named = policyWarnings(right(catalogue(withHost([{ ...own, paramNames: ['user'] }]))))
  assert.equal(named.of({ condition: "activity.params.user == 'a'", consensus: '' }), [])
  assert.equal(named.of({ condition: "activity.params.u == 'a'", consensus: '' }).length, 1)
})

it('tell where a policy that denies reads a parameter that an activity may lack: a question mark says so', () => {
  const pay = operation({
    type: 'ACTIVITY_TYPE_PAY',
    path: 'pay',
    summary: 'Pays.',
    resource: 'PAYMENT',
    action: 'CREATE',
    intent: t.fields({}, { memo: t.string }),
    result: t.fields({}),
    change: t.fields({}),
    paramNames: ['iban', 'memo?', 'vault'],
    params: ({ memo }) => ({ iban: 'DE', vault: 'a', ...(memo === undefined ? {} : { memo }) }),
    execute: () => ({ result: {}, change: {} }),
    evolve: () => undefined,
  })
  const host = resource({ name: 'host', operations: [pay], facts: { params: { 'vault?': 'string' } } })
  const warnings = policyWarnings(right(catalogue([...publicApi, host])))
  const of = (param: string, effect: string) =>
    warnings.of({ effect, condition: `activity.kind == 'PAY' && activity.params.${param} == 'a'`, consensus: '' })
  assert.equal(of('iban', 'EFFECT_DENY'), [])
  for (const param of ['memo', 'vault']) {
    const without = `condition: an activity without activity.params.${param} is not denied: pay`
    assert.equal([of(param, 'EFFECT_DENY'), of(param, 'EFFECT_ALLOW')], [[without], []])
  }
})

it.run()
