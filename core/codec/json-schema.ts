import * as t from 'io-ts'
import { AnyJson, Integer, RefinedType, Uuid } from './codec.ts'
import { DefaultedType } from './defaulted.ts'
import { DescribedType } from './described.ts'
import type { Json } from '../failure.ts'
import { FieldsType, ListType, type ListRules } from './fields.ts'
import { DateTime } from './timestamp.ts'

/** A schema in the words of JSON Schema (draft 2020-12), as far as our codecs need them. */
export type JsonSchema = {
  readonly $ref?: string
  readonly type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null'
  readonly description?: string
  readonly format?: 'uuid' | 'date-time'
  readonly const?: Json
  readonly enum?: readonly string[]
  readonly properties?: { readonly [name: string]: JsonSchema }
  readonly required?: readonly string[]
  readonly additionalProperties?: JsonSchema
  readonly items?: JsonSchema
  readonly minItems?: number
  readonly uniqueItems?: boolean
  readonly anyOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
}

/**
 * Gives the schema for a codec with a name, or a reference to the place of that schema.
 *
 * @param schema  makes the schema; named codecs inside of it are handled in the same way
 */
export type AtName = (name: string, schema: () => JsonSchema, codec: t.Mixed) => JsonSchema

/**
 * The schema of a codec. It accepts every value that the codec accepts, except the `null` that is read as an absent member.
 * Other rules of a codec, such as the longest name, are in the description.
 *
 * @param atName  gives the schema for a codec with a name. Default: its own schema
 */
export const jsonSchemaOf = (
  codec: t.Decoder<unknown, unknown>,
  atName: AtName = (_, schema) => schema(),
): JsonSchema => {
  const schemaOf = (inner: t.Mixed): JsonSchema => jsonSchemaOf(inner, atName)
  if (codec instanceof DescribedType) return describedSchema(codec, atName)
  if (codec instanceof RefinedType) return { ...schemaOf(codec.base), description: codec.name, ...standardOf(codec) }
  if (codec instanceof DefaultedType) return schemaOf(codec.base)
  if (codec instanceof FieldsType) return objectSchema(codec.required, codec.optional, schemaOf)
  if (codec instanceof ListType) return { ...listSchema(codec, schemaOf), ...describedRules(codec) }
  if (codec instanceof t.ArrayType || codec instanceof t.ReadonlyArrayType) return listSchema(codec, schemaOf)
  if (codec instanceof t.KeyofType) return { type: 'string', enum: Object.keys(codec.keys as object) } // what it was made of
  if (codec instanceof t.LiteralType) return { const: codec.value as Json } // a text, a number or a boolean
  if (codec instanceof t.InterfaceType) return objectSchema(codec.props as t.Props, {}, schemaOf) // what it was made of
  if (codec instanceof t.PartialType) return objectSchema({}, codec.props as t.Props, schemaOf)
  if (codec instanceof t.ExactType || codec instanceof t.RefinementType) return schemaOf(codec.type as t.Mixed)
  if (codec instanceof t.IntersectionType) return intersectionSchema((codec.types as readonly t.Mixed[]).map(schemaOf))
  if (codec instanceof t.UnionType) return { anyOf: (codec.types as readonly t.Mixed[]).map(schemaOf) }
  if (codec instanceof t.DictionaryType) return recordSchema(codec.codomain as t.Mixed, schemaOf)
  return leafSchema(codec)
}

type SchemaOf = (codec: t.Mixed) => JsonSchema

const describedSchema = (codec: DescribedType<unknown>, atName: AtName): JsonSchema => {
  const { base, notes } = codec
  const { name, description } = notes
  const schema = () => jsonSchemaOf(base, atName)
  if (name !== undefined) return atName(name, schema, codec)
  return description === undefined ? schema() : { ...schema(), description }
}

/** The standard keywords of JSON Schema for some codecs. */
const standardOf = (codec: t.Decoder<unknown, unknown>): JsonSchema => STANDARDS.get(codec) ?? {}
const STANDARDS: ReadonlyMap<unknown, JsonSchema> = new Map<unknown, JsonSchema>([
  [Uuid, { format: 'uuid' }],
  [DateTime, { format: 'date-time' }],
  [Integer, { type: 'integer' }],
])

const objectSchema = (required: t.Props, optional: t.Props, schemaOf: SchemaOf): JsonSchema => {
  const members = { ...required, ...optional }
  const names = Object.keys(required).filter((name) => !(required[name] instanceof DefaultedType))
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(members).map(([name, codec]) => [name, schemaOf(codec)])),
    ...(names.length === 0 ? {} : { required: names }),
  }
}

const describedRules = ({ name, rules }: { readonly name: string; readonly rules: ListRules }): JsonSchema =>
  Object.keys(rules).length === 0 ? {} : { description: name, ...rules }

const listSchema = ({ type }: { readonly type: unknown }, schemaOf: SchemaOf): JsonSchema => ({
  type: 'array',
  items: schemaOf(type as t.Mixed), // what the list was made of
})

const recordSchema = (member: t.Mixed, schemaOf: SchemaOf): JsonSchema => {
  const additionalProperties = schemaOf(member)
  return Object.keys(additionalProperties).length === 0 ? { type: 'object' } : { type: 'object', additionalProperties }
}

/** An intersection of objects is one object with all their members. */
const intersectionSchema = (schemas: readonly JsonSchema[]): JsonSchema => {
  if (!schemas.every(({ type }) => type === 'object')) return { allOf: schemas }
  const required = schemas.flatMap((schema) => schema.required ?? [])
  return {
    type: 'object',
    properties: Object.assign({}, ...schemas.map(({ properties }) => properties)) as JsonSchema['properties'] & object,
    ...(required.length === 0 ? {} : { required }),
  }
}

const leafSchema = (codec: t.Decoder<unknown, unknown>): JsonSchema => {
  if (codec instanceof t.StringType) return { type: 'string' }
  if (codec instanceof t.NumberType) return { type: 'number' }
  if (codec instanceof t.BooleanType) return { type: 'boolean' }
  if (codec instanceof t.NullType) return { type: 'null' }
  return codec instanceof t.UnknownType || codec === AnyJson ? {} : { description: codec.name }
}
