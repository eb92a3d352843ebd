import * as t from 'io-ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decode, Label } from '../../../core/codec/codec.ts'
import { defaulted } from '../../../core/codec/defaulted.ts'
import { fields } from '../../../core/codec/fields.ts'
import { jsonSchemaOf } from '../../../core/codec/json-schema.ts'
import { right } from '../world/world.ts'

const it = suite('a member with a default')

const codec = fields({ name: t.string, label: defaulted(Label, 'none') })

const readOf = (given: unknown) => right(decode(codec, 'it')(given))

it('is read as the default where it is absent or null, and written with it', () => {
  for (const given of [{ name: 'a' }, { name: 'a', label: null }]) {
    const read = readOf(given)
    assert.equal(read, { name: 'a', label: 'none' })
    assert.equal(codec.encode(read), { name: 'a', label: 'none' })
  }
})

it('is read by its codec where it is there', () => {
  assert.equal(readOf({ name: 'a', label: 'b' }), { name: 'a', label: 'b' })
  assert.is(codec.decode({ name: 'a', label: '' })._tag, 'Left')
})

it('needs not be there by its schema', () =>
  assert.equal(jsonSchemaOf(codec), {
    type: 'object',
    properties: { name: { type: 'string' }, label: jsonSchemaOf(Label) },
    required: ['name'],
  }))

it.run()
