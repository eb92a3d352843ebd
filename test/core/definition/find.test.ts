import * as t from '../../../core/codec/t.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findIn } from '../../../core/definition/find.ts'
import { isRefusal } from '../../../core/definition/refuse.ts'
import { initial, state } from '../../../core/organization/state.ts'

const it = suite('finding things of an organization')

const towns = state({ name: 'towns', version: 1, codec: t.mapOf(t.string), initial: () => new Map() })
const organization = initial('an-organization')
towns.in(organization).set('u', 'Ulm').set('b', 'Bonn').set('', 'Nowhere')
const { find, findAll } = findIn(organization)

/** Whether it is refused for this id. */
const refusedFor =
  (id: string) =>
  (thrown: unknown): boolean =>
    isRefusal(thrown) &&
    thrown.code === 'RESOURCE_NOT_FOUND' &&
    thrown.message === `unable to find town ${id} in organization an-organization`

for (const [name, among] of [
  ['a state', towns],
  ['a map', new Map(towns.of(organization))],
] as const) {
  it(`finds one in ${name}, and refuses an id that is not there`, () => {
    assert.is(find('town', among, 'u'), 'Ulm')
    assert.is(find('town', among, ''), 'Nowhere')
    assert.throws(() => find('town', among, 'k'), refusedFor('k'))
    assert.throws(() => find('town', among, '__proto__'), refusedFor('__proto__'))
  })

  it(`finds all in ${name}, in the order of the ids and as often, and refuses the first that is not there`, () => {
    assert.equal(findAll('town', among, ['b', 'u', 'b']), ['Bonn', 'Ulm', 'Bonn'])
    assert.equal(findAll('town', among, []), [])
    assert.throws(() => findAll('town', among, ['b', 'k', 'l']), refusedFor('k'))
  })
}

it('finds what has an empty value, and sees a state as it is by now', () => {
  assert.is(find('count', new Map([['a', 0]]), 'a'), 0)
  assert.is(find('member', new Map([['a', null]]), 'a'), null)
  towns.in(organization).set('k', 'Köln')
  assert.is(find('town', towns, 'k'), 'Köln')
  towns.in(organization).delete('k')
  assert.throws(() => find('town', towns, 'k'), refusedFor('k'))
})

it('looks in the state of its own organization', () => {
  assert.throws(
    () => findIn(initial('another')).find('town', towns, 'u'),
    (thrown: unknown) => isRefusal(thrown) && thrown.message.endsWith('in organization another'),
  )
})

it.run()
