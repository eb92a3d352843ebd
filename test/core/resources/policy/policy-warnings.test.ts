import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { catalogue } from '../../../../core/definition/catalogue.ts'
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
  assert.equal(everyOf("activity.resource == 'WALLET'"), ["condition: no operation has the resource 'WALLET'"])
})

it('know the parameters that operations show: they are the ones that are declared', () => {
  const shown = publicOperations.flatMap(({ paramNames }) => paramNames ?? ['?'])
  assert.equal([...new Set(shown)].toSorted(), ['api_key_ids', 'authenticator_ids', 'user_id', 'user_ids'])
  assert.equal(everyOf("activity.params.user_id == 'a'"), [])
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

it.run()
