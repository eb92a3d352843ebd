import fc from 'fast-check'
import type { Json } from '../../../core/failure.ts'
import type { Event, EventPayload } from '../../../core/log/event.ts'

/** Mostly a UUID, and sometimes a text that is hard to write or to read. */
export const text = fc.oneof(
  { weight: 80, arbitrary: fc.uuid() },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }) },
  { weight: 1, arbitrary: fc.constantFrom('"', '\\', '\u0000', '\u2028', 'é', '{}', '","id":"', '__proto__') },
)
const anyJson = fc.jsonValue().map((value) => value as Json)
const outcome = fc.constantFrom('ALLOWED', 'CONSENSUS_NEEDED', 'DENIED', 'REJECTED')
const evaluation = fc.record({ policyId: text, outcome: fc.constantFrom('OUTCOME_ALLOW', 'OUTCOME_ERROR') })
const often = <A>(usual: fc.Arbitrary<A>, other: fc.Arbitrary<A>): fc.Arbitrary<A> =>
  fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: other })
const place = fc.record({ organization: text, sequence: text }, { noNullPrototype: true })
const inBasis = {
  rules: often(fc.nat(20), fc.double({ noNaN: true, noDefaultInfinity: true })),
  read: often(fc.tuple(place), fc.array(place, { maxLength: 2 })),
  at: text,
  credential: text,
  scheme: text,
  address: fc.option(text),
  factors: often(fc.constant<string[]>([]), fc.array(text)),
}
const limitName = often(
  fc.constantFrom('users', 'userTags', 'policies'),
  fc.oneof(text, fc.constantFrom('1', '__proto__', 'a"b')),
)
const limits = often<object>(
  fc.record({ users: fc.nat() }, { noNullPrototype: true }),
  fc.dictionary(limitName, often<number>(fc.nat(), fc.double({ noNaN: true, noDefaultInfinity: true })), {
    maxKeys: 3,
  }),
)
const revision = often(fc.integer({ min: 1 }), fc.constantFrom(0, 1.5, -1, 1e21))
const basis = fc.oneof<fc.Arbitrary<object>[]>(
  fc.record(inBasis, { noNullPrototype: true }),
  fc.record({ ...inBasis, revision }, { noNullPrototype: true }),
  fc.record({ ...inBasis, revision, limits }, { noNullPrototype: true }),
  fc.record({ ...inBasis, limits }, { noNullPrototype: true }),
)
const verdict = fc.record(
  {
    outcome,
    rule: fc.constantFrom('policies', 'root-quorum', 'vote'),
    evaluations: fc.array(evaluation, { maxLength: 3 }),
  },
  { noNullPrototype: true },
)
const decision = fc.record({ verdict, basis }, { noNullPrototype: true })
const payload: fc.Arbitrary<EventPayload> = fc
  .oneof(
    fc.record({
      type: fc.constant('ActivityCreated'),
      data: fc.record({ type: text, requester: text, fingerprint: text, decision }),
    }),
    fc.record({
      type: fc.constant('ActivityVoted'),
      data: fc.record({ user: text, selection: fc.constant('VOTE_SELECTION_APPROVED'), decision }),
    }),
    fc.record({
      type: fc.constant('ActivityCompleted'),
      data: fc.record(
        { type: text, result: anyJson, change: anyJson, performed: anyJson, revision, limits },
        { requiredKeys: ['type', 'result', 'change'] },
      ),
    }),
    fc.record({ type: fc.constant('ActivityStarted'), data: fc.record({ attempt: fc.nat(), resumeAt: text }) }),
  )
  .map((made) => made as EventPayload) // built as its codec says
const partName = fc.oneof(
  fc.constantFrom('a', 'b', 'bundle', 'parts', 'personal.1', 'request', '1', 'A', '', '__proto__', 'a b', '"'),
  fc.stringMatching(/^[a-z][a-z0-9._-]{0,9}$/),
)
/** Events that are mostly as an engine makes them, and sometimes odd in one member or another. */
export const oddEvent: fc.Arbitrary<Event> = fc
  .tuple(
    fc.record({
      organization: text,
      sequence: fc.bigInt({ min: 1n, max: 10n ** 19n }),
      activity: text,
      revision: fc.bigInt({ min: 1n, max: 10n ** 19n }),
      version: fc.constantFrom(1, 1, 1, 2),
      id: text,
      at: text,
      previous: text,
      parts: fc.oneof(
        fc.constantFrom({}, { request: 'a1' }, { request: 'a1' }, { other: 'a1' }, { request: '"', other: '' }),
        fc.dictionary(partName, fc.constantFrom('a1', '', 'é', '","parts":{"'), { maxKeys: 4, noNullPrototype: true }),
      ),
    }),
    payload,
  )
  .map(([envelope, happened]) => ({ ...envelope, ...happened }))
