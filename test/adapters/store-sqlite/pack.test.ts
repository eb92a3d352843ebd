import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { pack, unpack } from '../../../adapters/store-sqlite/pack.ts'
import type { Commit } from '../../../core/ports/event-store.ts'

/** Objects as our code makes them. */
const plain = <A>(members: { [K in keyof A]: fc.Arbitrary<A[K]> }) => fc.record<A>(members, { noNullPrototype: true })

const it = suite('SQLite store: packed commits')

// Few names, so that neighbours often share theirs; integers on both sides of what a number can hold.
const name = fc.constantFrom('a', 'b', 'ä\0', '')
const integer = fc.oneof(fc.bigInt({ min: 0n, max: 9n }), fc.bigInt({ min: 2n ** 53n - 2n, max: 2n ** 63n - 1n }))
const maybeName = fc.option(name, { nil: undefined })
const bytes = fc.uint8Array({ maxLength: 20 })
const commit: fc.Arbitrary<Commit> = plain({
  organization: name,
  expected: fc.oneof(fc.constantFrom('none' as const, 'any' as const), integer),
  after: maybeName,
  checks: fc.array(plain({ organization: name, sequence: integer, after: maybeName }), { maxLength: 2 }),
  events: fc.array(
    plain({
      id: name,
      activity: name,
      revision: integer,
      line: bytes,
      parts: fc.array(plain({ name, salt: bytes, bytes }), { maxLength: 2 }),
      standing: fc.option(plain({ status: name, type: fc.option(name, { nil: undefined }) }), { nil: undefined }),
    }),
    { maxLength: 3 },
  ),
})

it('come out as they went in', () =>
  fc.assert(
    fc.property(fc.array(commit, { maxLength: 5 }), (commits) => {
      assert.equal(unpack(structuredClone(pack(commits))), commits)
    }),
  ))

it.run()
