import { symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as t from 'io-ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decode } from '../../../core/codec/codec.ts'
import type { Failure } from '../../../core/failure.ts'
import { fields, Uuids, list, some, SomeUuids } from '../../../core/codec/fields.ts'
import { E } from '../../../core/prelude.ts'
import { compile } from '../../compiler.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { fieldsOf, uuid } from '../resources/execute.ts'

const it = suite('fields')

const Inner = fields({ name: t.string }, { age: t.number })
const Outer = fields({ list: t.array(Inner) }, { note: t.string }, ({ list, note }) =>
  list.length === 0 && note === undefined ? { member: 'note', expected: 'a note about nothing' } : undefined,
)

const read = <A>(codec: t.Type<A, unknown, unknown>, input: unknown): A => {
  const decoded = decode(codec, 'input')(input)
  if (E.isLeft(decoded)) throw new Error(decoded.left.message)
  return decoded.right
}
const refused = <A>(codec: t.Type<A, unknown, unknown>, input: unknown): Failure => {
  const decoded = decode(codec, 'input')(input)
  if (E.isRight(decoded)) throw new Error('not refused')
  return decoded.left
}

it('drops what it does not know, and optional members that are null', () => {
  const input = { list: [{ name: 'a', age: null, more: 1 }], note: null, more: 2 }
  assert.equal(Object.keys(read(Outer, input)), ['list'])
  assert.equal(read(Outer, input), { list: [{ name: 'a' }] })
})

it('encodes without holes', () =>
  assert.is(JSON.stringify(Inner.encode({ name: 'a', age: 1 })), '{"name":"a","age":1}'))

it('takes undefined for an optional member, and does not write it', () => {
  assert.ok(Inner.is({ name: 'a', age: undefined }))
  assert.equal(Object.keys(Inner.encode({ name: 'a', age: undefined }) as object), ['name'])
  const cleared: t.TypeOf<typeof Inner> = { name: 'a', age: undefined }
  assert.equal(Outer.encode({ list: [cleared], note: undefined }), { list: [{ name: 'a' }] })
})

it('is shown by its members in errors of the compiler, and not by how it is made', async () => {
  const { path, remove } = await temporaryFolder()
  try {
    writeFileSync(join(path, 'wrong.ts'), WRONG)
    writeFileSync(join(path, 'package.json'), '{ "type": "module" }')
    symlinkSync(resolve('node_modules'), join(path, 'node_modules'))
    const errors = compile(path, [...FLAGS, 'wrong.ts'])
    assert.match(errors, `'{ userTagName: string; userIds: string[]; note?: string | undefined; }' is not assignable`)
    assert.match(errors, `to type 'FieldsType<{ userTagName: string; userIds: string[]; note?: string | undefined; }>'`)
    assert.not.match(errors, /TypeOfProps|MembersOf|OutputOf/)
  } finally {
    await remove()
  }
})

it('names the path of each breach', () => {
  const failure = refused(Outer, { list: [{ name: 'a' }, { age: 'b' }, 3], note: 4 })
  assert.equal(fieldsOf(failure), ['list.1.name', 'list.1.age', 'list.2', 'note'])
  assert.is(failure.message, 'invalid input at list.1.name: missing field; expected string')
})

it('reports a rule at its member', () => {
  assert.is(refused(Outer, { list: [] }).message, 'invalid input at note: missing field; expected a note about nothing')
  assert.equal(read(Outer, { list: [], note: '' }), { list: [], note: '' })
})

it('takes no member from a prototype', () =>
  assert.equal(fieldsOf(refused(fields({ toString: t.unknown, name: t.string }), {})), ['name']))

it('refuses what is no object', () => {
  for (const input of [undefined, null, 1, 'a', []]) assert.match(refused(Inner, input).message, 'expected an object')
})

it('refuses an empty list where one is required', () => {
  assert.match(refused(some(t.string), []).message, 'at least one')
  assert.match(refused(SomeUuids, []).message, 'at least one')
  assert.equal(read(Uuids, []), [])
})

it('refuses an id twice, in whatever case', () => {
  assert.match(refused(Uuids, [uuid(10), uuid(10).toUpperCase()]).message, 'without repetition')
  assert.equal(fieldsOf(refused(Uuids, [uuid(1), 'x'])), ['1'])
})

it('reports ten breaches and no more, and survives half a million', () => {
  const many = Array.from({ length: 500_000 }, () => 1)
  assert.is(fieldsOf(refused(list(t.string), many)).length, 10)
  assert.equal(fieldsOf(refused(fields({ names: list(t.string) }), { names: many })).slice(0, 2), [
    'names.0',
    'names.1',
  ])
  const members = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`member${n}`, t.string]))
  assert.is(fieldsOf(refused(fields(members), {})).length, 10)
})

it('reads each value once, however deep it stands', () => {
  let reads = 0
  const counted = new t.Type<string, string, unknown>(
    'never',
    t.string.is,
    (u, context) => {
      reads += 1
      return t.failure(u, context)
    },
    String,
  )
  const deep = fields({ a: list(fields({ b: fields({ c: list(fields({ d: counted })) }) })) })
  const failure = refused(deep, { a: [{ b: { c: [{ d: 1 }] } }] })
  assert.equal([reads, fieldsOf(failure)], [1, ['a.0.b.c.0.d']])
})

it('knows a list by its entries and its rules', () => {
  assert.ok(SomeUuids.is([uuid(1)]))
  for (const wrong of [[], [uuid(1), uuid(1)], ['x'], 'x']) assert.not.ok(SomeUuids.is(wrong))
})

/** What somebody writes who takes a tag for a number. */
const WRONG = `
import * as t from 'io-ts'
import { fields } from '${resolve('core/codec/fields.ts')}'
const Tag = fields({ userTagName: t.string, userIds: t.array(t.string) }, { note: t.string })
export const sum = (tag: t.TypeOf<typeof Tag>): number => tag
export const other: typeof Tag = fields({ a: t.string })
`
const FLAGS = [
  ...['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', '--allowImportingTsExtensions'],
  ...['--module', 'nodenext', '--target', 'es2024', '--types', 'node'],
]

it.run()
