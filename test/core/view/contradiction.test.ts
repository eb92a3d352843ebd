import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../../core/failure.ts'
import { erasure } from '../../../core/resources/erasure/erasure.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import { webhookOperations } from '../../../core/resources/webhook-endpoint/webhook-operations.ts'
import { contradicts } from '../../../core/view/contradiction.ts'
import { requestIn } from '../../../core/view/shown-request.ts'
import { everyExample } from '../resources/all-examples.ts'
import { borderTo } from '../resources/bundle/border.ts'
import { doorOf, json, parametersOf } from '../resources/scene.ts'
import { beginBelow, right, world } from '../world/world.ts'

const it = suite('an intent that says otherwise than its request')

const id = 'b5c1b8a2-6f3e-4a50-9d3b-5b1f6d5b3c01'
const cases: readonly (readonly [what: string, intent: Json, requested: Json, isOtherwise: boolean])[] = [
  ['the same', { a: [1, 'x', { b: true }] }, { a: [1, 'x', { b: true }] }, false],
  ['without what reading drops', { a: 1 }, { a: 1, unknown: 2 }, false],
  ['with what reading fills in', { a: 1, threshold: 1 }, { a: 1, threshold: null }, false],
  ['an id in lower case', { id }, { id: id.toUpperCase() }, false],
  ['an id in upper case that was not asked for', { id: id.toUpperCase() }, { id }, true],
  ['an origin as browsers write it', ['https://a.example'], ['HTTPS://A.example:443/'], false],
  ['another origin', ['https://a.example'], ['https://b.example'], true],
  ['a network in its one spelling', { cidr: '2001:db8::/48' }, { cidr: '2001:0DB8:0::/48' }, false],
  ['another network', { cidr: '10.0.0.0/24' }, { cidr: '10.0.1.0/24' }, true],
  ['another number', { a: 1 }, { a: 2 }, true],
  ['another value inside', { a: { b: [{ c: 'x' }] } }, { a: { b: [{ c: 'y' }] } }, true],
  ['text in another case', { a: 'the root' }, { a: 'The Root' }, true],
  ['an empty text', { a: '' }, { a: 'x' }, true],
  ['a number as text', { a: '1' }, { a: 1 }, true],
  ['a shorter list', { a: [1] }, { a: [1, 2] }, true],
  ['a longer list', { a: [1, 2] }, { a: [1] }, true],
  ['a list in another order', { a: [1, 2] }, { a: [2, 1] }, true],
  ['a list with null', { a: [null] }, { a: [1] }, true],
  ['a list as an object', { a: { 0: 1 } }, { a: [1] }, true],
  ['no object', 'x', { a: 1 }, true],
]
for (const [what, intent, requested, isOtherwise] of cases)
  it(`is ${isOtherwise ? 'one' : 'none'} with ${what}`, () =>
    assert.is(contradicts({ intent }, requested), isOtherwise))

it('is one of two intents, and none that was left out', () => {
  assert.ok(contradicts({ one: { a: 1 }, two: { a: 1 } }, { a: 1 }))
  assert.not(contradicts({}, { a: 1 }))
})

/** The value in all forms in which one text, number or flag of it is another one. */
const changesOf = (value: Json): readonly Json[] => {
  if (value === null) return []
  if (typeof value === 'string') return [`${value}0`, '']
  if (typeof value === 'number') return [value + 1]
  if (typeof value === 'boolean') return [!value]
  const members: readonly (readonly [string, Json])[] = Object.entries(value)
  return members.flatMap(([name, inner]) =>
    changesOf(inner)
      .filter((one) => one !== inner)
      .map((one) =>
        Array.isArray(value)
          ? value.map((entry: Json, index) => (String(index) === name ? one : entry))
          : { ...value, [name]: one },
      ),
  )
}

for (const example of everyExample)
  it(`is none that an honest server shows of ${example.operation.path}, and each in which it changes a value`, async () => {
    const w = await world({ resources: [...publicApi, ...erasure, ...webhookOperations] })
    const place = example.where === 'below' ? await beginBelow(w, w) : w
    const door = { ...doorOf(place, (await place.enrol('ada')).userId), border: borderTo(w.engine) }
    for (const type of example.valid.keys()) {
      const asked = json(await parametersOf(door, example, type))
      const activity = right(await place.submit(place.root, example.operation.path, asked, { type }))
      const parameters = requestIn(activity, place.organizationId)?.parameters
      assert.is.not(parameters, undefined, type)
      assert.not(contradicts(activity.intent, parameters), type)
      const [name = '', shown = null] = Object.entries(activity.intent)[0] ?? []
      for (const lie of changesOf(shown))
        assert.ok(contradicts({ [name]: lie }, parameters), `${type} ${JSON.stringify(lie)}`)
    }
    await w.close()
  })

it.run()
