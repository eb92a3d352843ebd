import * as t from 'io-ts'
import { RefinedType, Uuid } from '../codec.ts'
import type { Json } from '../failure.ts'
import { FieldsType, ListType, type ListRules } from './fields.ts'

/** A schema in the words of JSON Schema (draft 2020-12), as far as our codecs need them. */
export type JsonSchema = {
  readonly type?: 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'
  readonly description?: string
  readonly format?: 'uuid'
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
 * What a codec reads, as a schema. It accepts all that the codec accepts, but for the `null` that `fields` takes for an
 * optional member that is not there; what a codec refuses beyond shapes, such as a name that is too long, is in the
 * description.
 */
export const jsonSchemaOf = (codec: t.Mixed): JsonSchema => {
  if (codec instanceof RefinedType) return refinedSchema(codec)
  if (codec instanceof FieldsType) return objectSchema(codec.required, codec.optional)
  if (codec instanceof ListType) return { ...listSchema(codec), ...describedRules(codec) }
  if (codec instanceof t.ArrayType || codec instanceof t.ReadonlyArrayType) return listSchema(codec)
  if (codec instanceof t.KeyofType) return { type: 'string', enum: Object.keys(codec.keys as object) } // what it was made of
  if (codec instanceof t.LiteralType) return { const: codec.value as Json } // a text, a number or a boolean
  if (codec instanceof t.InterfaceType) return objectSchema(codec.props as t.Props, {}) // what it was made of
  if (codec instanceof t.PartialType) return objectSchema({}, codec.props as t.Props)
  if (codec instanceof t.ExactType) return jsonSchemaOf(codec.type as t.Mixed)
  if (codec instanceof t.IntersectionType)
    return intersectionSchema((codec.types as readonly t.Mixed[]).map(jsonSchemaOf))
  if (codec instanceof t.UnionType) return { anyOf: (codec.types as readonly t.Mixed[]).map(jsonSchemaOf) }
  if (codec instanceof t.DictionaryType)
    return { type: 'object', additionalProperties: jsonSchemaOf(codec.codomain as t.Mixed) }
  return leafSchema(codec)
}

const refinedSchema = (codec: RefinedType<unknown>): JsonSchema => ({
  ...jsonSchemaOf(codec.base),
  description: codec.name,
  ...(codec === (Uuid as t.Mixed) ? { format: 'uuid' as const } : {}),
})

const objectSchema = (required: t.Props, optional: t.Props): JsonSchema => {
  const members = { ...required, ...optional }
  const names = Object.keys(required)
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(members).map(([name, codec]) => [name, jsonSchemaOf(codec)])),
    ...(names.length === 0 ? {} : { required: names }),
  }
}

const describedRules = ({ name, rules }: { readonly name: string; readonly rules: ListRules }): JsonSchema =>
  Object.keys(rules).length === 0 ? {} : { description: name, ...rules }

const listSchema = ({ type }: { readonly type: unknown }): JsonSchema => ({
  type: 'array',
  items: jsonSchemaOf(type as t.Mixed), // what the list was made of
})

/** Objects that must all fit are one object with all their members. */
const intersectionSchema = (schemas: readonly JsonSchema[]): JsonSchema => {
  if (!schemas.every(({ type }) => type === 'object')) return { allOf: schemas }
  const required = schemas.flatMap((schema) => schema.required ?? [])
  return {
    type: 'object',
    properties: Object.assign({}, ...schemas.map(({ properties }) => properties)) as JsonSchema['properties'] & object,
    ...(required.length === 0 ? {} : { required }),
  }
}

const leafSchema = (codec: t.Mixed): JsonSchema => {
  if (codec instanceof t.StringType) return { type: 'string' }
  if (codec instanceof t.NumberType) return { type: 'number' }
  if (codec instanceof t.BooleanType) return { type: 'boolean' }
  if (codec instanceof t.NullType) return { type: 'null' }
  return codec instanceof t.UnknownType ? {} : { description: codec.name }
}
