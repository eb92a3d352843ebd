import { publicQueries } from '../../core/world/with-host.ts'
import * as t from 'io-ts'
import { ballots } from '../../../core/deciding/ballot.ts'
import type { Json } from '../../../core/failure.ts'
import { jsonSchemaOf, type JsonSchema } from '../../../core/codec/json-schema.ts'
import type { Operation } from '../../../core/definition/operation.ts'
import { publicOperations } from '../../core/world/with-host.ts'
import type { Query } from '../../../core/definition/query.ts'
import type { Random } from '../simulate/random.ts'

/** Something that can be asked for, and what its definition says that it takes. */
export type Route = {
  readonly path: string
  /** The types of activity that it takes; none for a query. */
  readonly types: readonly { readonly type: string; readonly schema: JsonSchema }[]
  /** Of a query's body. */
  readonly schema: JsonSchema
}

export const ID_KINDS = ['user', 'tag', 'policy', 'apiKey', 'activity'] as const
export type IdKind = (typeof ID_KINDS)[number]

/** What kind of thing a member names. */
export const idKindOf = (member: string): IdKind =>
  (['tag', 'policy', 'apiKey', 'activity'] as const).find((kind) =>
    member.toLowerCase().includes(kind.toLowerCase()),
  ) ?? 'user'

/** What a request may name so that it gets far. */
export type Known = {
  readonly organizationId: string
  /** Ids of what there is, by kind. */
  readonly ids: Readonly<Record<IdKind, readonly string[]>>
  readonly fingerprints: readonly string[]
  readonly publicKeys: readonly string[]
  /** Requests that are valid: parameters by type, and members by the paths of queries. */
  readonly examples: ReadonlyMap<string, Json>
  /** A text that stands in every body, and must not come back. */
  readonly canary: string
}

const BALLOT: JsonSchema = {
  type: 'object',
  properties: { fingerprint: { type: 'string' } },
  required: ['fingerprint'],
}

/** Every operation in every version, the ballots, and every query. */
export const routesOf = (operations: readonly Operation[], queries: readonly Query[]): readonly Route[] => [
  ...operations.map(({ path, versions }) => ({
    path: `/public/v1/submit/${path}`,
    types: versions.map(({ type, codec = t.unknown }) => ({ type, schema: jsonSchemaOf(codec) })),
    schema: {},
  })),
  ...Object.entries(ballots).map(([path, ballot]) => ({
    path: `/public/v1/submit/${path}`,
    types: ballot === undefined ? [] : [{ type: ballot.type, schema: BALLOT }],
    schema: {},
  })),
  ...queries.map(({ path, codecs }) => ({
    path: `/public/v1/query/${path}`,
    types: [],
    schema: jsonSchemaOf(codecs.request),
  })),
]

/** Those of the public API. */
export const ROUTES = routesOf(publicOperations, publicQueries)

/** A body that fits the definition of the route. What its words mean, an organization may refuse all the same. */
export const bodyOf = (route: Route, known: Known, random: Random): { readonly [member: string]: Json } => {
  const { organizationId, canary } = known
  if (route.types.length === 0) {
    const path = route.path.slice(route.path.lastIndexOf('/') + 1)
    const asked = valueOf(route.schema, 'body', known, random, known.examples.get(path))
    return { ...(isObject(asked) ? asked : {}), organizationId, canary }
  }
  const { type, schema } = random.pick(route.types)
  const parameters = valueOf(schema, 'parameters', known, random, known.examples.get(type))
  return { type, timestampMs: String(Date.now()), organizationId, parameters, canary, nonce: random.next() }
}

/** @param example  what stands there in an example: where one is, most of it is kept */
const valueOf = (schema: JsonSchema, name: string, known: Known, random: Random, example?: Json): Json => {
  if (example !== undefined && random.chance(isObject(example) || Array.isArray(example) ? 0.3 : 0.7)) return example
  const { anyOf, allOf, items = {}, properties = {}, required = [] } = schema
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return random.chance(0.7) ? (schema.enum[0] ?? null) : random.pick(schema.enum)
  if (anyOf !== undefined) return valueOf(random.pick(anyOf), name, known, random, example)
  if (allOf?.[0] !== undefined) return valueOf(allOf[0], name, known, random, example)
  switch (schema.type) {
    case 'object': {
      const given = isObject(example ?? null) ? (example as { readonly [member: string]: Json }) : {} // just looked at
      return Object.fromEntries(
        Object.entries(properties)
          .filter(([member]) => required.includes(member) || random.chance(0.4))
          .map(([member, of]) => [member, valueOf(of, member, known, random, given[member])]),
      )
    }
    case 'array': {
      const isOfAnything = Object.keys(items).length === 0 // such a list is for what this version does not offer
      const length = isOfAnything && random.chance(0.9) ? 0 : Math.max(schema.minItems ?? 0, random.below(3))
      const entries: readonly Json[] = Array.isArray(example) ? example : []
      const list = Array.from({ length }, (_, n) => valueOf(items, name, known, random, entries[n]))
      return schema.uniqueItems === true ? [...new Set(list)] : list
    }
    case 'string':
      return textOf(schema, name, known, random)
    case 'number':
      return random.below(4)
    case 'boolean':
      return random.chance(0.5)
    default:
      return schema.type === 'null' || random.chance(0.3) ? null : []
  }
}

const textOf = ({ format, description = '' }: JsonSchema, name: string, known: Known, random: Random): string => {
  const { ids, fingerprints, publicKeys, canary } = known
  const isId = format === 'uuid' || /(?:^i|I)ds?$|^userTags$/.test(name) || description.startsWith('the id of')
  if (isId) {
    const kind = random.chance(0.9) ? idKindOf(`${name} ${description}`) : random.pick(ID_KINDS)
    return ids[kind].length > 0 && random.chance(0.95) ? random.pick(ids[kind]) : NOBODY
  }
  if (name === 'fingerprint') return random.pick(fingerprints)
  if (name === 'publicKey') return random.pick(publicKeys)
  if (name === 'condition') return random.pick(CONDITIONS)
  if (name === 'consensus') return random.pick(CONSENSUS)
  if (/email/i.test(name)) return `${canary.replaceAll(/[^a-z0-9]/gi, '-').slice(0, 64)}@example.com`
  if (/origins/i.test(name)) return `https://${random.below(9)}.example.com`
  if (/phone/i.test(name)) return '+491701234567'
  if (/seconds/i.test(name)) return '3600'
  if (/number|digits|integer/.test(description)) return String(1 + random.below(50))
  return `${canary} ${random.below(1e6)}`
}

const NOBODY = '00000000-0000-4000-8000-000000000000'
const CONDITIONS = ["activity.resource == 'USER'", "activity.action == 'DELETE'", 'true', "activity.type in ['A']"]
const CONSENSUS = ['approvers.count() >= 2', 'true', "approvers.any(user, user.tags.contains('a'))"]

const isObject = (json: Json): json is { readonly [member: string]: Json } =>
  typeof json === 'object' && json !== null && !Array.isArray(json)
