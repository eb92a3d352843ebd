import { publicQueries } from '../world/with-host.ts'
import fc from 'fast-check'
import * as t from 'io-ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Decision } from '../../../core/log/decision.ts'
import { closed, Label, Uuid } from '../../../core/codec/codec.ts'
import { fields, Uuids, some, SomeUuids } from '../../../core/codec/fields.ts'
import { jsonSchemaOf, type JsonSchema } from '../../../core/codec/json-schema.ts'
import { publicOperations } from '../world/with-host.ts'
import { uuid } from '../resources/execute.ts'

const it = suite('jsonSchemaOf')

it('describes members, and which of them must be there', () =>
  assert.equal(jsonSchemaOf(fields({ name: Label, age: t.number }, { note: t.string })), {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'a label of 1 to 256 printable characters' },
      age: { type: 'number' },
      note: { type: 'string' },
    },
    required: ['name', 'age'],
  }))

it('describes what narrows a codec by its base', () => {
  assert.equal(jsonSchemaOf(Uuid), { type: 'string', description: 'a UUID', format: 'uuid' })
})

it('describes lists with their rules', () => {
  const items = jsonSchemaOf(Uuid)
  assert.equal(jsonSchemaOf(t.array(t.string)), { type: 'array', items: { type: 'string' } })
  assert.equal(jsonSchemaOf(t.readonlyArray(t.string)), { type: 'array', items: { type: 'string' } })
  assert.equal(jsonSchemaOf(some(t.string)).minItems, 1)
  assert.equal(jsonSchemaOf(Uuids), {
    type: 'array',
    items,
    description: 'a list without repetition',
    uniqueItems: true,
  })
  assert.equal([jsonSchemaOf(SomeUuids).minItems, jsonSchemaOf(SomeUuids).uniqueItems], [1, true])
})

it('describes what io-ts puts together', () => {
  assert.equal(jsonSchemaOf(t.keyof({ a: null, b: null })), { type: 'string', enum: ['a', 'b'] })
  assert.equal(jsonSchemaOf(t.literal('a')), { const: 'a' })
  assert.equal(jsonSchemaOf(t.union([t.string, t.null])), { anyOf: [{ type: 'string' }, { type: 'null' }] })
  assert.equal(jsonSchemaOf(t.record(t.string, t.boolean)), {
    type: 'object',
    additionalProperties: { type: 'boolean' },
  })
  assert.equal(jsonSchemaOf(t.unknown), {})
  assert.equal(jsonSchemaOf(t.intersection([t.string, t.string])), { allOf: [{ type: 'string' }, { type: 'string' }] })
  assert.equal(jsonSchemaOf(t.partial({ a: t.string })), { type: 'object', properties: { a: { type: 'string' } } })
})

it('puts the members of an intersection into one object', () =>
  assert.equal(jsonSchemaOf(t.intersection([t.strict({ a: t.string }), t.partial({ b: t.number })])), {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'number' } },
    required: ['a'],
  }))

it('knows no more of a codec that it has not heard of than its name', () =>
  assert.equal(jsonSchemaOf(closed({ a: t.string })).type, undefined))

it('knows the shape of every intent, result, change and query, down to the leaves', () => {
  const codecs = [
    ...publicOperations.flatMap(({ codecs, versions }) => [
      codecs.result,
      codecs.change,
      ...versions.map(({ codec }) => codec ?? t.unknown),
    ]),
    ...publicQueries.flatMap(({ codecs }) => [codecs.request, codecs.answer]),
    Decision,
  ]
  for (const codec of codecs) assert.equal(unknownIn(jsonSchemaOf(codec)), [])
})

it('accepts what the codecs of lists accept', () => {
  const uuids = fc.array(fc.integer({ min: 1, max: 4 }).map(uuid), { maxLength: 4 })
  fc.assert(
    fc.property(fc.constantFrom(some(Uuid), Uuids, SomeUuids), uuids, (codec, list) => {
      const { minItems = 0, uniqueItems = false } = jsonSchemaOf(codec)
      const fits = list.length >= minItems && (!uniqueItems || new Set(list).size === list.length)
      assert.is(codec.decode(list)._tag === 'Right', fits)
    }),
  )
})

/** Leaves of which the schema says nothing but a name. */
const unknownIn = (schema: JsonSchema): readonly (string | undefined)[] => [
  ...(Object.keys(schema).join() === 'description' ? [schema.description] : []),
  ...Object.values(schema.properties ?? {}).flatMap(unknownIn),
  ...(schema.items === undefined ? [] : unknownIn(schema.items)),
  ...(schema.anyOf ?? []).flatMap(unknownIn),
]

it.run()
