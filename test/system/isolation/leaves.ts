import type { Json } from '../../../core/failure.ts'
import type { JsonSchema } from '../../../core/codec/json-schema.ts'

/** Where a text stands in a body: names of members, and `EACH` for the entries of a list. */
export type Leaf = readonly string[]

export const EACH = '[]'

/** Members that name something, and that no schema says so of. */
const NAMES_SOMETHING = /(?:^id|Ids?|fingerprint|cursor|before|after|token)$/i

/** The places of a schema where an id, a fingerprint or a cursor can stand. */
export const idLeavesOf = (schema: JsonSchema, leaf: Leaf = []): readonly Leaf[] => {
  const { anyOf = [], allOf = [], items, properties = {}, additionalProperties } = schema
  const name = leaf.findLast((step) => step !== EACH) ?? ''
  const isId = schema.type === 'string' && (schema.format === 'uuid' || NAMES_SOMETHING.test(name))
  return [
    ...(isId ? [leaf] : []),
    ...[...anyOf, ...allOf].flatMap((one) => idLeavesOf(one, leaf)),
    ...Object.entries(properties).flatMap(([member, one]) => idLeavesOf(one, [...leaf, member])),
    ...(items === undefined ? [] : idLeavesOf(items, [...leaf, EACH])),
    ...(additionalProperties === undefined ? [] : idLeavesOf(additionalProperties, [...leaf, EACH])),
  ]
}

/** The body with another text at the leaf, in the first entry of each list; `undefined` where nothing stands there. */
export const withText = (body: Json, [step, ...rest]: Leaf, text: string): Json | undefined => {
  if (step === undefined) return typeof body === 'string' ? text : undefined
  if (typeof body !== 'object' || body === null) return undefined
  const members: readonly (readonly [string, Json])[] = Object.entries(body)
  const at = step === EACH ? 0 : members.findIndex(([name]) => name === step)
  const found = members[at]
  const changed = found === undefined ? undefined : withText(found[1], rest, text)
  if (changed === undefined) return undefined
  const all = members.map(([name, value], index) => [name, index === at ? changed : value] as const)
  return Array.isArray(body) ? all.map(([, value]) => value) : Object.fromEntries(all)
}

export const isAt = (body: Json, leaf: Leaf): boolean => withText(body, leaf, '') !== undefined
