import fc from 'fast-check'
import type { Commit, NewEvent } from '../../../core/ports/event-store.ts'

const text = new TextEncoder()

/** Few names and numbers, so that everything that can meet does. */
const event = (prefix: string): fc.Arbitrary<NewEvent> =>
  fc
    .record({
      id: fc.integer({ min: 0, max: 25 }),
      activity: fc.constantFrom('p', 'q', 'r'),
      revision: fc.bigInt({ min: 1n, max: 4n }),
      byte: fc.constantFrom('a', 'a', 'a', 'b'),
    })
    .map(({ id, activity, revision, byte }) => ({
      id: `${prefix}${id}`,
      activity,
      revision,
      line: text.encode(byte),
      parts: [],
    }))

const organization = (prefix: string) => fc.constantFrom('x', 'y', 'z').map((name) => prefix + name)

const commit = (prefix: string): fc.Arbitrary<Commit> =>
  fc.record({
    organization: organization(prefix),
    expected: fc.oneof(fc.constant('any' as const), fc.constant('none' as const), fc.bigInt({ min: 0n, max: 8n })),
    events: fc.uniqueArray(event(prefix), { minLength: 1, maxLength: 3, selector: ({ id }) => id }),
    checks: fc.array(fc.record({ organization: organization(prefix), sequence: fc.bigInt({ min: 0n, max: 3n }) }), {
      maxLength: 1,
      depthIdentifier: 'checks',
    }),
  })

/** Calls of `append`, one after the other; some are a repetition of a call before. */
export const anyCalls = (prefix: string): fc.Arbitrary<readonly (readonly Commit[])[]> =>
  fc
    .array(fc.tuple(fc.array(commit(prefix), { minLength: 1, maxLength: 5 }), fc.option(fc.nat(20), { freq: 4 })), {
      maxLength: 25,
    })
    .map((calls) =>
      calls.map(([commits, again], i) => (again === null || i === 0 ? commits : (calls[again % i]?.[0] ?? commits))),
    )
