import { isObject } from '../../../../core/codec/codec.ts'
import type { Json } from '../../../../core/failure.ts'

/** A JSON Schema, as the document has it: nothing in it is sure. */
export type Schema = { readonly [keyword: string]: unknown }

/** An operation that the document offers. */
export type Offered = {
  /** As in `/public/v1/submit/<path>`. */
  readonly path: string
  readonly summary: string
  /** The newest first. */
  readonly forms: readonly OfferedForm[]
}

/** An activity type, and the schema of its parameters. */
export type OfferedForm = { readonly type: string; readonly parameters: Schema }

/** What somebody fills in. Schemas inside of it are not resolved: a schema may contain itself. */
export type Field = { readonly hint: string | undefined } & (
  | { readonly kind: 'text'; readonly isLong: boolean }
  | { readonly kind: 'number'; readonly isWhole: boolean }
  | { readonly kind: 'choice'; readonly values: readonly Json[] }
  | { readonly kind: 'list'; readonly entry: Schema; readonly fewest: number }
  /** `more` is the schema of members that are not described, where such members belong to it. */
  | { readonly kind: 'object'; readonly members: readonly Member[]; readonly more: Schema | undefined }
  | { readonly kind: 'union'; readonly options: readonly Schema[] }
  | { readonly kind: 'json' }
)

export type Member = { readonly name: string; readonly schema: Schema; readonly isRequired: boolean }

/** A schema of which nothing is known. */
export const ANYTHING: Schema = {}

const SUBMIT = '/public/v1/submit/'

/** Votes are given where one sees what they are about. */
const VOTES: readonly string[] = ['approve_activity', 'reject_activity']

/**
 * The operations that an OpenAPI document offers, without votes, in its order.
 *
 * @param api  the parsed document; what is not understood in it is left out
 */
export const offeredOperations = (api: unknown): readonly Offered[] => {
  const paths = isObject(api) && isObject(api['paths']) ? api['paths'] : {}
  return Object.entries(paths).flatMap(([address, item]) => {
    const path = address.slice(SUBMIT.length)
    if (!address.startsWith(SUBMIT) || VOTES.includes(path) || !isObject(item) || !isObject(item['post'])) return []
    const forms = formsOf(api, item['post'])
    return forms.length === 0 ? [] : [{ path, summary: textOf(item['post']['summary']) ?? '', forms }]
  })
}

const formsOf = (api: unknown, post: Schema): readonly OfferedForm[] => {
  const request = ['requestBody', 'content', 'application/json', 'schema'].reduce<unknown>(memberOf, post)
  if (!isObject(request)) return []
  const bodies = Array.isArray(request['oneOf']) ? request['oneOf'].filter(isObject) : [request]
  return bodies.flatMap((body) => {
    const { properties } = resolved(api, body)
    const type = memberOf(memberOf(properties, 'type'), 'const')
    const parameters = memberOf(properties, 'parameters')
    return typeof type === 'string' ? [{ type, parameters: isObject(parameters) ? parameters : ANYTHING }] : []
  })
}

/**
 * What is filled in for a schema.
 *
 * @param isRequired  whether something stands there in every case: where it does not, `null` means no more than leaving it out
 */
export const fieldOf = (api: unknown, unresolved: Schema, isRequired: boolean, depth = 0): Field => {
  const schema = resolved(api, unresolved)
  const hint = textOf(schema['description'])
  const options = optionsOf(schema, isRequired)
  const [only] = options ?? []
  if (options?.length === 1 && only !== undefined && depth < DEEPEST) {
    const field = fieldOf(api, only, isRequired, depth + 1)
    return { ...field, hint: hint ?? field.hint }
  }
  if (options !== undefined && options.length > 1) return { hint, kind: 'union', options }
  if (Object.hasOwn(schema, 'const')) return { hint, kind: 'choice', values: [schema['const'] as Json] } // of a JSON document
  if (Array.isArray(schema['enum'])) return { hint, kind: 'choice', values: schema['enum'] as readonly Json[] } // as above
  return { hint, ...typedField(schema) }
}

/** A schema may say in circles that it is another one. */
const DEEPEST = 16

type Kind = Field extends infer F ? (F extends Field ? Omit<F, 'hint'> : never) : never

const typedField = (schema: Schema): Kind => {
  switch (schema['type']) {
    case 'string':
      return { kind: 'text', isLong: isLong(schema) }
    case 'number':
    case 'integer':
      return { kind: 'number', isWhole: schema['type'] === 'integer' }
    case 'boolean':
      return { kind: 'choice', values: [true, false] }
    case 'null':
      return { kind: 'choice', values: [null] }
    case 'array': {
      const { items, minItems } = schema
      return {
        kind: 'list',
        entry: isObject(items) ? items : ANYTHING,
        fewest: typeof minItems === 'number' ? minItems : 0,
      }
    }
    case 'object':
      return objectField(schema)
    default:
      return { kind: 'json' }
  }
}

const objectField = ({ properties, additionalProperties, required }: Schema): Kind => {
  if (properties === undefined && additionalProperties === undefined) return { kind: 'json' }
  const names: readonly unknown[] = Array.isArray(required) ? required : []
  const members = Object.entries(isObject(properties) ? properties : {}).map(([name, schema]): Member => ({
    name,
    schema: isObject(schema) ? schema : ANYTHING,
    isRequired: names.includes(name),
  }))
  const more = additionalProperties === true ? ANYTHING : additionalProperties
  return { kind: 'object', members, more: isObject(more) ? more : undefined }
}

const optionsOf = ({ anyOf, oneOf }: Schema, isRequired: boolean): readonly Schema[] | undefined => {
  const options = Array.isArray(anyOf) ? anyOf : oneOf
  return Array.isArray(options)
    ? options.filter(isObject).filter((option) => isRequired || option['type'] !== 'null')
    : undefined
}

/** Whether a text may need lines: nothing limits it, or it may have a thousand characters. Our own limits stand in descriptions. */
const isLong = ({ maxLength, description, format }: Schema): boolean =>
  typeof maxLength === 'number'
    ? maxLength >= 1000
    : format === undefined && /^$|\b\d{4,} characters/.test(textOf(description) ?? '')

/** The schema, or the one that it refers to within the document, together with what stands beside the reference. */
export const resolved = (api: unknown, schema: Schema, depth = 0): Schema => {
  const { $ref, ...beside } = schema
  if (typeof $ref !== 'string') return schema
  const steps = $ref.startsWith('#/') ? $ref.slice(2).split('/') : undefined
  const target = steps?.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')).reduce<unknown>(memberOf, api)
  return isObject(target) && depth < DEEPEST ? { ...resolved(api, target, depth + 1), ...beside } : beside
}

const memberOf = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** A name in words: `userTagName` is "User tag name", `create_users` "Create users". */
export const wordsOf = (name: string): string => {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[\s_]+/)
    .filter((word) => word !== '')
    .map((word) => (/^[A-Z0-9]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(' ')
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1)
}

/** What tells an option of a union from the others: its title, its name in the document, or what it describes. */
export const optionName = (api: unknown, option: Schema): string | undefined => {
  const { $ref } = option
  const { title, description } = resolved(api, option)
  return textOf(title) ?? (typeof $ref === 'string' ? wordsOf($ref.split('/').at(-1) ?? '') : textOf(description))
}
