import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isPrefix, streamNames, uuidOf } from '../../../adapters/store-eventstoredb/names.ts'

const it = suite('EventStoreDB store: names')

it('gives back the organization of its stream, and of no other stream', () =>
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (id) => {
      const names = streamNames('a_')
      assert.is(names.organizationOf(names.organization(id)), id)
      assert.is(streamNames('b_').organizationOf(names.organization(id)), undefined)
      assert.is(names.organizationOf(names.part('id', id)), undefined)
      assert.is(names.organizationOf(names.marks), undefined)
    }),
  ))

it('keeps apart two stores of which one has a prefix that begins with that of the other', () =>
  fc.assert(
    fc.property(
      fc.stringMatching(/^[a-z_-]{0,6}$/),
      fc.stringMatching(/^[a-z_-]{1,6}$/),
      fc.string({ minLength: 1 }),
      (prefix, more, id) => {
        fc.pre(isPrefix(`${prefix}${more}`))
        assert.is(streamNames(prefix).organizationOf(streamNames(`${prefix}${more}`).organization(id)), undefined)
      },
    ),
  ))

it('refuses a prefix that would be that of an organization, or is no name', () => {
  for (const prefix of ['', 'a', 'A-b_9', 'organization', 'part-']) assert.is(isPrefix(prefix), true, prefix)
  for (const prefix of ['organization-', 'x-organization-y', '$a', 'a b', 'é', 'a'.repeat(101)])
    assert.is(isPrefix(prefix), false, prefix)
})

it('lets a UUID stand for itself, and makes one of version 8 for any other id', () => {
  const uuid = '0190c2f8-35a6-7e4b-9d1e-5b8f0a6c7d21'
  assert.is(uuidOf(uuid), uuid)
  assert.is.not(uuidOf(uuid.toUpperCase()), uuid)
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      assert.match(uuidOf(a), /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      assert.is(uuidOf(a) === uuidOf(b), a === b)
    }),
  )
})

it('gives two parts never the same stream', () => {
  const { part } = streamNames('')
  assert.is.not(part('a-b', 'c'), part('a', 'b-c'))
})

it.run()
