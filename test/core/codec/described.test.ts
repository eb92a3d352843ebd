import * as t from 'io-ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AnyJson, decode, Integer, JsonObject } from '../../../core/codec/codec.ts'
import { described, named } from '../../../core/codec/described.ts'
import { fields } from '../../../core/codec/fields.ts'
import { jsonSchemaOf, type AtName } from '../../../core/codec/json-schema.ts'
import { DateTime } from '../../../core/codec/timestamp.ts'
import { E } from '../../../core/prelude.ts'

const it = suite('codecs with words for documents')

const Street = named('Street', fields({ name: described(t.string, 'as it is on the sign') }))
const Town = fields({ main: Street, others: t.readonlyArray(Street) }, { note: t.string })

it('read, write and refuse as they would without', () => {
  const town = { main: { name: 'High Street' }, others: [] }
  assert.equal(decode(Town, 'town')(town), E.right(town))
  assert.equal(Town.encode(town), town)
  assert.ok(Town.is(town))
  const refused = decode(Town, 'town')({ main: { name: 7 }, others: [] })
  assert.is(E.isLeft(refused) && refused.left.message, 'invalid town at main.name: expected string')
})

it('say it in the schema', () => {
  const street = {
    type: 'object',
    properties: { name: { type: 'string', description: 'as it is on the sign' } },
    required: ['name'],
  }
  assert.equal(jsonSchemaOf(Street), street)
  assert.equal(jsonSchemaOf(Town).properties, {
    main: street,
    others: { type: 'array', items: street },
    note: { type: 'string' },
  })
})

it('stand for themselves where a document says what to put at a name', () => {
  const names: string[] = []
  const atName: AtName = (name, schema) => {
    names.push(name, ...Object.keys(schema().properties ?? {}))
    return { $ref: `#/${name}` }
  }
  assert.equal(jsonSchemaOf(Town, atName).properties, {
    main: { $ref: '#/Street' },
    others: { type: 'array', items: { $ref: '#/Street' } },
    note: { type: 'string' },
  })
  assert.equal(names, ['Street', 'name', 'Street', 'name'])
})

it('have names of one word', () => {
  for (const name of ['', 'a b', 'a/b', '#a']) assert.throws(() => named(name, t.string), /one word/)
})

it('have the words of JSON Schema where it has some', () => {
  assert.equal(jsonSchemaOf(Integer), { type: 'integer', description: 'an integer' })
  assert.equal(jsonSchemaOf(DateTime), { type: 'string', description: 'a time in RFC 3339', format: 'date-time' })
  assert.equal([jsonSchemaOf(AnyJson), jsonSchemaOf(JsonObject)], [{}, { type: 'object' }])
})

it('take any JSON, and nothing that is none', () => {
  for (const json of [null, 0, '', false, [], {}]) assert.equal(decode(AnyJson, 'it')(json), E.right(json))
  for (const other of [undefined, 1n, () => 1, Symbol('a')]) assert.ok(E.isLeft(decode(AnyJson, 'it')(other)))
})

it.run()
