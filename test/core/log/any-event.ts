import fc from 'fast-check'
import type { EventType } from '../../../core/log/event.ts'
import type { Json } from '../../../core/failure.ts'

type Members = { readonly [name: string]: Json }

const text = fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom('', '1', '2026-11-21T03:43:11.268Z'))
const number = fc.oneof(fc.nat(), fc.double({ noNaN: true, noDefaultInfinity: true }))
// As the line would bring it: no members that are undefined, no -0, prototypes of the usual kind.
const throughText = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json
const json = fc.jsonValue({ maxDepth: 2 }).map(throughText)

const decision = fc.record({
  verdict: fc.record({
    outcome: fc.constantFrom('ALLOWED', 'CONSENSUS_NEEDED', 'DENIED', 'REJECTED'),
    rule: fc.constantFrom('root-quorum', 'policies', 'own-credentials', 'vote', 'genesis'),
    evaluations: fc.array(
      fc.record({ policyId: text, outcome: fc.constantFrom('OUTCOME_ALLOW', 'OUTCOME_ERROR', 'OUTCOME_REJECTED') }),
      { maxLength: 2 },
    ),
  }),
  basis: fc.record(
    {
      rules: number,
      generation: fc.integer({ min: 1 }),
      read: fc.array(fc.record({ organization: text, sequence: text }), { maxLength: 2 }),
      at: text,
      credential: text,
      scheme: text,
      timeZones: fc.constantFrom('2025c', '2019a', 'none', 'unknown'),
      clock: text,
      address: fc.constant(null),
      factors: fc.array(text, { maxLength: 2 }),
      revision: fc.integer({ min: 1 }),
      limits: fc.dictionary(text, number, { maxKeys: 2 }),
    },
    { requiredKeys: ['rules', 'generation', 'read', 'at', 'credential', 'scheme', 'factors', 'revision'] },
  ),
})

const actedBy = { revision: fc.integer({ min: 1 }), limits: fc.dictionary(text, number, { maxKeys: 2 }) }

const anyData: { readonly [T in EventType]: fc.Arbitrary<unknown> } = {
  ActivityCreated: fc.record(
    { type: text, requester: text, fingerprint: text, decision, leftOutBytes: number },
    { requiredKeys: ['type', 'requester', 'fingerprint', 'decision'] },
  ),
  ActivityVoted: fc.record({
    user: text,
    selection: fc.constantFrom('VOTE_SELECTION_APPROVED', 'VOTE_SELECTION_REJECTED'),
    decision,
  }),
  ActivityStarted: fc.record(
    { attempt: number, resumeAt: text, ...actedBy },
    { requiredKeys: ['attempt', 'resumeAt', 'revision'] },
  ),
  ActivityCompleted: fc.record(
    { type: text, result: json, change: json, performed: json, ...actedBy },
    { requiredKeys: ['type', 'result', 'change', 'revision'] },
  ),
  ActivityFailed: fc.record(
    {
      failure: fc.record(
        {
          code: fc.constantFrom('REQUEST_INVALID', 'INTERNAL'),
          message: text,
          details: fc.array(json, { maxLength: 2 }),
        },
        { requiredKeys: ['code', 'message'] },
      ),
      ...actedBy,
    },
    { requiredKeys: ['failure', 'revision'] },
  ),
}

/** What a line of that type may say, as parsed. */
export const anyLine = (type: EventType): fc.Arbitrary<Members> =>
  fc
    .record({
      organization: text,
      sequence: fc.bigInt({ min: 1n, max: 10n ** 19n - 1n }).map(String),
      activity: text,
      revision: fc.bigInt({ min: 1n, max: 10n ** 19n - 1n }).map(String),
      type: fc.constant(type),
      version: fc.constant(1),
      id: text,
      at: text,
      previous: text,
      data: anyData[type],
      parts: fc.dictionary(text, text, { maxKeys: 2 }),
    })
    .map((line) => throughText(line) as Members) // a record is made

/** Names that objects have without having them as members. */
const oddName = fc.constantFrom(
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'limits',
  'details',
  'revision',
)
const oddValue: fc.Arbitrary<Json> = fc.oneof(
  json,
  fc.constantFrom<Json>(null, [], {}, '', 0, 'toString', 'constructor', '__proto__', 'INTERNAL', 'OUTCOME_ALLOW', [
    null,
  ]),
)
/** A change somewhere: which of all members, counted depth first, and what becomes of it. */
const mutation = fc.record({
  at: fc.nat(60),
  how: fc.constantFrom('replace', 'delete', 'add'),
  name: fc.oneof(oddName, text),
  value: oddValue,
})
type Mutation = { readonly at: number; readonly how: string; readonly name: string; readonly value: Json }

/** A value with up to three changes at any depth. */
export const mutated = (value: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc.tuple(value, fc.array(mutation, { maxLength: 3 })).map(([whole, mutations]) => mutations.reduce(changed, whole))

const changed = (whole: Json, { at, how, name, value }: Mutation): Json => {
  let left = at % (countOf(whole) + 1)
  const walk = (json: Json): Json | undefined => {
    if (left-- === 0) return how === 'replace' ? value : how === 'delete' ? undefined : added(json, name, value)
    if (isList(json)) return json.map(walk).filter((entry) => entry !== undefined)
    if (typeof json !== 'object' || json === null) return json
    const members = Object.entries(json).map(([key, member]) => [key, walk(member)] as const)
    return Object.fromEntries(members.filter((entry): entry is readonly [string, Json] => entry[1] !== undefined))
  }
  return walk(whole) ?? value
}

const isList = (json: Json): json is readonly Json[] => Array.isArray(json)

const added = (json: Json, name: string, value: Json): Json => {
  if (isList(json)) return [...json, value]
  if (typeof json !== 'object' || json === null) return value
  return Object.fromEntries([...Object.entries(json), [name, value]]) // `__proto__` becomes a member, as in JSON.parse
}

const countOf = (json: Json): number =>
  typeof json !== 'object' || json === null
    ? 0
    : Object.values(json).reduce((count: number, member: Json) => count + 1 + countOf(member), 0)
