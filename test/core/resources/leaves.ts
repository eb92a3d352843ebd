import type { Json } from '../../../core/failure.ts'
import type { JsonSchema } from '../../../core/codec/json-schema.ts'
import type { Given } from './example.ts'

/** Where a text stands in a body: names of members, and `EACH` for the entries of a list. */
export type Leaf = readonly string[]

export const EACH = '[]'

/** Members that name something, and that no schema says so of. */
const NAMES_SOMETHING = /(?:^id|Ids?|fingerprint|cursor|before|after|token)$/i

/** The member in which a leaf stands. */
export const memberOf = (leaf: Leaf): string => leaf.findLast((step) => step !== EACH) ?? ''

/** The places of a schema where an id, a fingerprint or a cursor can stand. */
export const idLeavesOf = (schema: JsonSchema): readonly Leaf[] =>
  leavesOf(schema, ({ format }, leaf) => format === 'uuid' || NAMES_SOMETHING.test(memberOf(leaf)))

/** The places of a schema where a text can stand that is no id and none of a list. */
export const textLeavesOf = (schema: JsonSchema): readonly Leaf[] =>
  leavesOf(schema, ({ format, enum: listed }) => format === undefined && listed === undefined)

type Select = (text: JsonSchema, leaf: Leaf) => boolean

const leavesOf = (schema: JsonSchema, select: Select, leaf: Leaf = []): readonly Leaf[] => {
  const { anyOf = [], allOf = [], items, properties = {}, additionalProperties } = schema
  return [
    ...(schema.type === 'string' && select(schema, leaf) ? [leaf] : []),
    ...[...anyOf, ...allOf].flatMap((one) => leavesOf(one, select, leaf)),
    ...Object.entries(properties).flatMap(([member, one]) => leavesOf(one, select, [...leaf, member])),
    ...(items === undefined ? [] : leavesOf(items, select, [...leaf, EACH])),
    ...(additionalProperties === undefined ? [] : leavesOf(additionalProperties, select, [...leaf, EACH])),
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

/** All texts at a leaf. */
export const textsAt = (body: Given, [step, ...rest]: Leaf): readonly string[] => {
  if (step === undefined) return typeof body === 'string' ? [body] : []
  if (typeof body !== 'object' || body === null) return []
  return Object.entries(body).flatMap(([name, inner]: readonly [string, Given]) =>
    step === EACH || step === name ? textsAt(inner, rest) : [],
  )
}

/** Whether somebody has said what stands at a leaf, be it nothing. */
export const isMentioned = (body: Given, [step, ...rest]: Leaf): boolean => {
  if (step === undefined) return true
  if (typeof body !== 'object' || body === null) return true // the whole is left out, which was said before
  const members = Object.entries(body).filter(([name]) => step === EACH || step === name)
  return members.length > 0 && members.every(([, inner]: readonly [string, Given]) => isMentioned(inner, rest))
}

/** What kind of thing a member names: `UserId` for `userId`, `addUserIds` and `userIds`. */
export const kindOfId = (member: string): string =>
  `${member.charAt(0).toUpperCase()}${member.slice(1)}`.replace(/^.*?([A-Z][a-z]*Id)s?$/, '$1')

/** The ids that answers have told, by the kind of thing that they name. */
export type Ids = Map<string, Set<string>>

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Takes the ids out of an answer. */
export const idsIn = (answer: Json, ids: Ids, member = ''): void => {
  if (typeof answer === 'string' && UUID.test(answer)) {
    const kind = kindOfId(member)
    ids.set(kind, (ids.get(kind) ?? new Set()).add(answer))
  }
  if (typeof answer !== 'object' || answer === null) return
  for (const [name, inner] of Object.entries(answer)) idsIn(inner, ids, Array.isArray(answer) ? member : name)
}
