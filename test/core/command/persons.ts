import * as t from '../../../core/codec/t.ts'
import { encodeBase64, encodeUtf8 } from '../../../core/bytes.ts'
import { operation, type EvolveContext } from '../../../core/definition/operation.ts'
import { completed, projection, type EventContext } from '../../../core/definition/projection.ts'
import { query } from '../../../core/definition/query.ts'
import { resource, type Resource } from '../../../core/definition/resource.ts'
import type { Json } from '../../../core/failure.ts'
import { readPart, type Parts } from '../../../core/log/parts.ts'
import { state, type Draft } from '../../../core/organization/state.ts'
import type { RowChange } from '../../../core/ports/read-models.ts'

/*
 * A host's operations with parts: what is personal is a part of its own for each person, and what is made for the holder of a
 * key is a part of the result. The log has the ids only.
 */

const Personal = t.fields({ name: t.string, email: t.string })
const Intent = t.fields({ persons: t.list(Personal), key: t.string })
type Intent = t.TypeOf<typeof Intent>
const Change = t.fields({ personIds: t.list(t.string) })
type Change = t.TypeOf<typeof Change>
/** A person, who may have been erased. */
const Person = t.fields({ personId: t.string }, { name: t.string, email: t.string })

export const known = state({ name: 'persons', version: 1, codec: t.mapOf(Person), initial: () => new Map() })

/** Stands for bytes that only the holder of the key can read. */
const bundleFor = (key: string, personIds: readonly string[]): Uint8Array => encodeUtf8(`${key} ${personIds.length}`)

const partsOfPersons = ({ persons, key }: Intent, personIds: readonly string[]) => ({
  ...Object.fromEntries(persons.map((person, index) => [`personal.${personIds[index]}`, person])),
  bundle: bundleFor(key, personIds),
})

const execute = (intent: Intent, { ids }: { readonly ids: () => string }) => {
  const personIds = intent.persons.map(() => ids())
  return { result: { personIds }, change: { personIds }, parts: partsOfPersons(intent, personIds) }
}

const evolve = (draft: Draft, { personIds }: Change, { parts }: Pick<EvolveContext, 'parts'>): void => {
  for (const personId of personIds) known.in(draft).set(personId, personOf(personId, parts))
}

/** An erased person is left without what was personal. */
const personOf = (personId: string, parts: Parts): t.TypeOf<typeof Person> => ({
  personId,
  ...readPart(parts, `personal.${personId}`, Personal),
})

const encodeResult = ({ personIds }: Change, parts: Parts): Json => {
  const bundle = parts.get('bundle')
  return { personIds, bundle: bundle instanceof Uint8Array ? encodeBase64(bundle) : null }
}

const common = {
  resource: 'PERSON',
  action: 'CREATE',
  intent: Intent,
  result: Change,
  change: Change,
  parts: ['personal', 'bundle'],
  encodeResult,
  evolve,
} as const

export const registerPersons = operation({
  ...common,
  type: 'ACTIVITY_TYPE_REGISTER_PERSONS',
  path: 'register_persons',
  summary: 'Registers persons.',
  execute,
})

/** The same with effects outside: the parts come with the conclusion, in a commit of its own. */
export const introducePersons = operation({
  ...common,
  type: 'ACTIVITY_TYPE_INTRODUCE_PERSONS',
  path: 'introduce_persons',
  summary: 'Registers persons, and tells somebody of it.',
  perform: {
    outside: true,
    resumeAfterMs: 1000,
    attemptsMax: 2,
    whenInterrupted: 'retry',
    performed: t.fields({ told: t.boolean }),
    run: () => ({ told: true }),
  },
  execute,
})

export const personOperations = [registerPersons, introducePersons]

const rowsOf = ({ personIds }: Change, { organization, position, parts }: EventContext): readonly RowChange[] =>
  personIds.map((personId, index) => ({
    _tag: 'put',
    organization,
    key: personId,
    order: position * 1000n + BigInt(index),
    facets: {},
    value: readPart(parts, `personal.${personId}`, Personal)?.name ?? null,
  }))

const Name = t.union([t.string, t.null])

/** A row for each person, with the name as long as it is there. */
export const persons = projection({
  name: 'persons',
  version: 1,
  row: Name,
  on: personOperations.map((one) => completed(one, rowsOf)),
})

/** What the state says of a person. */
export const getPerson = query({
  path: 'get_person',
  summary: 'Tells of a person.',
  request: t.fields({ organizationId: t.string, personId: t.string }),
  answer: t.fields({ person: t.union([Person, t.null]) }),
  run: ({ personId }, { organization }) => ({ person: known.of(organization).get(personId) ?? null }),
})

/** What the projection says of all of them. */
export const listPersons = query({
  path: 'list_persons',
  summary: 'Lists persons.',
  request: t.fields({ organizationId: t.string }),
  answer: t.fields({ names: t.list(Name) }),
  run: async (_, { rows }) => ({ names: await rows(persons, { limit: 100, ascending: true }) }),
})

/** All of it. */
export const personResource: Resource = resource({
  name: 'persons',
  states: [known],
  operations: personOperations,
  queries: [getPerson, listPersons],
  projections: [persons],
})

export const ada = { name: 'Ada', email: 'ada@example.org' }
export const grace = { name: 'Grace', email: 'grace@example.org' }
