import type { JsonSchema } from '../../../core/codec/json-schema.ts'

const GENERATED = '<!-- Written by `npm run docs`. Change the definitions, not this page. -->'

/** A page of the reference. */
export const page = (title: string, ...blocks: readonly string[]): string =>
  `${[`# ${title}`, GENERATED, ...blocks].join('\n\n')}\n`

/** A table with as many columns as its head. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n')

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/**
 * A table of the members of an object and of the objects in it, each with its path.
 *
 * @param meanings  of members, by name
 */
export const shapeTable = (schema: JsonSchema, meanings: ReadonlyMap<string, string> = new Map()): string => {
  const rows = rowsOf(schema, '', meanings)
  return rows.length === 0 ? 'No members.' : table(['member', 'type', 'required', 'meaning'], rows)
}

const rowsOf = (
  schema: JsonSchema,
  prefix: string,
  meanings: ReadonlyMap<string, string>,
): readonly (readonly string[])[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const path = `${prefix}${name}`
    const isRequired = schema.required?.includes(name) === true
    const meaning = [sentenceOf(member), meanings.get(name) ?? ''].filter((text) => text !== '').join(' ')
    const row = [`\`${path}\``, typeOf(member), isRequired ? 'yes' : 'no', meaning]
    const inner = member.items ?? member
    const inside =
      inner.type === 'object' ? rowsOf(inner, `${path}${member.items === undefined ? '.' : '[].'}`, meanings) : []
    return [row, ...inside]
  })

const sentenceOf = ({ type, description, items }: JsonSchema): string => {
  const said = [
    type === undefined ? undefined : description,
    items?.description === undefined ? undefined : `each ${items.description}`,
  ]
  const text = said.filter((one) => one !== undefined).join('; ')
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

/** Beyond it, the meaning says where the values are listed. */
const ENUM_MAX = 10

const typeOf = (schema: JsonSchema): string => {
  if (schema.$ref !== undefined) return `[${schema.$ref}](#${schema.$ref.toLowerCase()})`
  if (schema.enum !== undefined && schema.enum.length > ENUM_MAX) return 'string'
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${value}\``).join(', ')
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ')
  if (schema.type === 'array') return `list of ${schema.items === undefined ? 'any' : plural(typeOf(schema.items))}`
  if (schema.additionalProperties !== undefined) return `object, each member ${typeOf(schema.additionalProperties)}`
  return schema.type ?? schema.description ?? 'any JSON'
}

const plural = (type: string): string => (/^(?:string|number|object|boolean)$/.test(type) ? `${type}s` : type)
