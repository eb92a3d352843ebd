import type * as t from 'io-ts'
import type { Json } from '../../core/failure.ts'
import { jsonSchemaOf, type AtName, type JsonSchema } from '../../core/codec/json-schema.ts'
import { Refusal } from './reply.ts'
import { failureCodes } from '../../core/failure-codes.ts'
import { onWire } from './wire-activity.ts'

/** A part of the document. */
export type Node = { readonly [member: string]: Json }

export const ref = (name: string): Node => ({ $ref: `#/components/schemas/${name}` })

/** The schema of an object. All members are required, except those in `optional`. */
export const object = (properties: Node, optional: readonly string[] = []): Node => {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', ...(required.length === 0 ? {} : { required }), properties }
}

export const text: Node = { type: 'string' }

/** The schema of a request: an optional member may also be `null`, which counts as missing. */
export const withNulls = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  ...(schema.properties === undefined ? {} : { properties: membersWithNulls(schema.properties, schema.required) }),
  ...(schema.items === undefined ? {} : { items: withNulls(schema.items) }),
  ...(schema.additionalProperties === undefined
    ? {}
    : { additionalProperties: withNulls(schema.additionalProperties) }),
  ...(schema.anyOf === undefined ? {} : { anyOf: schema.anyOf.map(withNulls) }),
  ...(schema.allOf === undefined ? {} : { allOf: schema.allOf.map(withNulls) }),
})

const membersWithNulls = (
  properties: NonNullable<JsonSchema['properties']>,
  required: readonly string[] = [],
): NonNullable<JsonSchema['properties']> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [
      name,
      required.includes(name) ? withNulls(member) : { anyOf: [withNulls(member), { type: 'null' }] },
    ]),
  )

/** The schemas of a document: the schema of a named codec stands there once, and is referred to by name. */
export type Schemas = {
  readonly schemaOf: (codec: t.Decoder<unknown, unknown>) => JsonSchema
  /** The schemas of all named codecs so far. */
  readonly named: () => Node
}

/** @param taken  names of other components: a codec with such a name is written out at each place */
export const schemasBeside = (taken: Node): Schemas => {
  const named = new Map<string, JsonSchema>()
  const atName: AtName = (name, schema, codec) => {
    const wire = onWire(codec)
    const made = wire === codec ? schema() : jsonSchemaOf(wire, atName)
    const known = named.get(name) ?? made
    if (Object.hasOwn(taken, name) || JSON.stringify(known) !== JSON.stringify(made)) return made
    named.set(name, made)
    return { $ref: `#/components/schemas/${name}` }
  }
  return { schemaOf: (codec) => jsonSchemaOf(codec, atName), named: () => Object.fromEntries(named) }
}

/** The member `timestampMs` of all submits. */
export const TIMESTAMP_MS: Node = {
  TimestampMs: {
    description: 'Milliseconds since the epoch.',
    anyOf: [
      { ...text, pattern: '^(?:0|[1-9][0-9]{0,14})$' },
      { type: 'integer', minimum: 0 },
    ],
  },
}

/** The member `generateAppProofs` of all submits. */
export const APP_PROOFS: Node = {
  description: 'Only false: app proofs are not supported yet, and true is refused as UNSUPPORTED.',
  anyOf: [{ type: 'boolean' }, { type: 'null' }],
}

/** The statuses of failures, without the one for callers who are gone. */
const statuses = [...new Set(Object.values(failureCodes).map(({ http }) => http))].filter(
  (status) => status !== failureCodes.ABORTED.http,
)

const codesOf = (status: number): string =>
  Object.entries(failureCodes)
    .flatMap(([code, { http }]) => (http === status ? [code] : []))
    .join(', ')

/** The error responses that every request may get, as components. */
export const responsesOf = ({ schemaOf }: Schemas): Node =>
  Object.fromEntries(
    statuses.map((status) => [
      `Status${status}`,
      {
        description: `The failures ${codesOf(status)} of the reference.`,
        content: { 'application/json': { schema: schemaOf(Refusal) } },
      },
    ]),
  )

/** The error responses by status. Ranges such as `4XX` would be shorter, but some generators write them into code. */
export const responsesByStatus: Node = Object.fromEntries(
  statuses.map((status) => [status, { $ref: `#/components/responses/Status${status}` }]),
)
