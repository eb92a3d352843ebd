import * as t from 'io-ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decode } from '../../../core/codec/codec.ts'
import { deferred, mapDeferred, settled, Unread } from '../../../core/codec/deferred.ts'
import { fields } from '../../../core/codec/fields.ts'
import { jsonSchemaOf } from '../../../core/codec/json-schema.ts'
import { codeOf, right } from '../world/world.ts'
import { fieldsOf } from '../resources/execute.ts'

const it = suite('a list that is read later')

const Thing = fields({ name: t.string })
const Things = fields({ things: deferred(Thing) })
const read = (value: unknown) => right(decode(Things, 'parameters')(value)).things

it('reads anything in a list, and tells what is wrong when it is asked, by its place', () => {
  const things = read({ things: [{ name: 'a', more: 1 }, { name: 7 }, null] })
  assert.equal(things[0], { name: 'a' })
  assert.instance(things[1], Unread)
  const asked = settled('users.3.things')(things)
  assert.match(asked._tag === 'Left' ? JSON.stringify(asked.left) : '', 'users.3.things.1.name')
  assert.match(asked._tag === 'Left' ? JSON.stringify(asked.left) : '', 'users.3.things.2')
  assert.equal(right(settled('things')(read({ things: [{ name: 'a' }] }))), [{ name: 'a' }])
})

it('refuses what is no list', () => {
  for (const things of [undefined, null, {}, 'a'])
    assert.is(codeOf(decode(Things, 'parameters')({ things })), 'REQUEST_INVALID')
})

it('writes what it has not read as it was given', () => {
  const given = { things: [{ name: 'a' }, { name: 7 }, 'else'] }
  assert.equal(Things.encode({ things: read(given) }), given)
})

it('changes only what it has read', () => {
  const changed = mapDeferred(({ name }: { name: string }) => name)(read({ things: [{ name: 'a' }, 7] }))
  assert.is(changed[0], 'a')
  assert.instance(changed[1], Unread)
})

it('tells ten mistakes at most, and looks at no more', () => {
  const asked = settled('things')(read({ things: Array.from({ length: 100_000 }, () => 7) }))
  assert.is(asked._tag === 'Left' && fieldsOf(asked.left).length, 10)
})

it('has the schema of the list that is expected', () => {
  assert.equal(jsonSchemaOf(deferred(Thing)), {
    type: 'array',
    items: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  })
})

it.run()
