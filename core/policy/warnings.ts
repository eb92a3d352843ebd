import { isUuid } from '../codec/codec.ts'
import { parse } from './parser.ts'
import type { Node } from './syntax.ts'

/** The names that an engine has, as far as policies can use them. */
export type KnownNames = {
  /** The values that fields of `activity` can have. */
  readonly values: { readonly [Field in ActivityField]: ReadonlySet<string> }
  /** The fields of `activity.params`; undefined if nobody knows all of them. */
  readonly params: ReadonlySet<string> | undefined
  /** The names of the tags of users, by id; undefined if no organization is known. */
  readonly tags: ReadonlyMap<string, string> | undefined
}

type ActivityField = 'type' | 'kind' | 'resource' | 'action'
const FIELDS: ReadonlySet<string> = new Set<ActivityField>(['type', 'kind', 'resource', 'action'])

/**
 * What a policy names that an engine does not have: such a clause is valid, but never true. Gives a sentence for each, at most twenty.
 * An expression that cannot be parsed has no warnings, because it is refused.
 */
export const warningsOf = (
  { condition, consensus }: { readonly condition: string; readonly consensus: string },
  known: KnownNames,
): readonly string[] => [
  ...new Set(
    [...inExpression('condition', condition, known), ...inExpression('consensus', consensus, known)].slice(
      0,
      WARNINGS_MAX,
    ),
  ),
]

/** The most warnings of a policy. */
export const WARNINGS_MAX = 20

const inExpression = (clause: string, text: string, known: KnownNames): readonly string[] => {
  const parsed = text === '' ? undefined : parse(text)
  if (parsed?._tag !== 'Right') return []
  const reading: Reading = { known, found: [], names: new Set() }
  walk(reading, parsed.right, new Map())
  if (ALONE.every((name) => reading.names.has(name))) reading.found.push('wallet and private_key are never both there')
  return reading.found.map((warning) => `${clause}: ${warning}`)
}

type Reading = {
  readonly known: KnownNames
  readonly found: string[]
  /** The names that are no variables. */
  readonly names: Set<string>
}

/** Keywords of which an activity has only one: reading the other is an error. */
const ALONE = ['wallet', 'private_key']

/** What the values of a node are: of a field of `activity`, or tags. */
type Meaning = ActivityField | 'tag' | 'tags'
/** The variables that stand for something with a meaning. */
type Scope = ReadonlyMap<string, Meaning | undefined>

const walk = (reading: Reading, node: Node, scope: Scope): void => {
  if (node._tag === 'compare') warnOfComparison(reading, node, scope)
  if (node._tag === 'compare') warnOfLengths(reading, node)
  if (node._tag === 'contains') warnOf(reading, meaningOf(node.item, scope), node.of)
  if (node._tag === 'contains' && meaningOf(node.of, scope) === 'tags') warnOf(reading, 'tag', node.item)
  if (node._tag === 'field') warnOfParameter(reading, node)
  if (node._tag === 'name' && !scope.has(node.name)) reading.names.add(node.name)
  const inner = node._tag === 'each' ? scopeOf(node, scope) : scope
  for (const child of childrenOf(node)) walk(reading, child, inner)
}

const scopeOf = ({ of, variable }: Extract<Node, { readonly _tag: 'each' }>, scope: Scope): Scope => {
  const inner = new Map(scope)
  if (meaningOf(of, scope) === 'tags') inner.set(variable, 'tag')
  else inner.set(variable, undefined)
  return inner
}

const meaningOf = (node: Node, scope: Scope): Meaning | undefined => {
  switch (node._tag) {
    case 'name':
      return scope.get(node.name)
    case 'field':
      if (node.name === 'tags') return 'tags'
      return isActivity(node.of) && FIELDS.has(node.name) ? (node.name as ActivityField) : undefined // it is one of them
    case 'index':
      return meaningOf(node.of, scope) === 'tags' ? 'tag' : undefined
    case 'slice':
      return meaningOf(node.of, scope) === 'tags' ? 'tags' : undefined
    case 'each':
      return node.quantifier === 'filter' ? meaningOf(node.of, scope) : undefined
    default:
      return undefined
  }
}

const isActivity = (node: Node): boolean => node._tag === 'name' && node.name === 'activity'

const warnOfComparison = (
  reading: Reading,
  { operator, left, right }: Extract<Node, { readonly _tag: 'compare' }>,
  scope: Scope,
): void => {
  if (operator === 'in') {
    warnOf(reading, meaningOf(left, scope), right)
    if (meaningOf(right, scope) === 'tags') warnOf(reading, 'tag', left)
  } else {
    warnOf(reading, meaningOf(left, scope), right)
    warnOf(reading, meaningOf(right, scope), left)
  }
}

/** Warns of a part of a text that is compared with a text of another length: the two are never equal. */
const warnOfLengths = ({ found }: Reading, { left, right }: Extract<Node, { readonly _tag: 'compare' }>): void => {
  for (const [part, other] of [
    [left, right],
    [right, left],
  ] as const) {
    const length = lengthOf(part)
    if (length === undefined) continue
    for (const text of other._tag === 'list' ? other.items : [other])
      if (text._tag === 'literal' && typeof text.value === 'string' && text.value.length !== length)
        found.push(`a part of ${length} characters never equals a text of ${text.value.length}`)
  }
}

/** The length of a part whose bounds the policy gives. */
const lengthOf = (node: Node): number | undefined => {
  if (node._tag !== 'slice' || node.from._tag !== 'literal' || node.to._tag !== 'literal') return undefined
  const [from, to] = [node.from.value, node.to.value]
  return typeof from === 'bigint' && typeof to === 'bigint' ? Number(to - from) : undefined
}

/** Warns of the texts in a node that are compared with something of this meaning. */
const warnOf = (reading: Reading, meaning: Meaning | undefined, node: Node): void => {
  if (meaning === undefined || meaning === 'tags') return
  const texts = node._tag === 'list' ? node.items : [node]
  for (const text of texts) {
    if (text._tag !== 'literal' || typeof text.value !== 'string') continue
    const warning =
      meaning === 'tag' ? tagWarning(reading.known, text.value) : valueWarning(reading.known, meaning, text.value)
    if (warning !== undefined) reading.found.push(warning)
  }
}

const valueWarning = ({ values }: KnownNames, field: ActivityField, text: string): string | undefined =>
  values[field].has(text) ? undefined : `no operation has the ${field} ${quoted(text)}`

const tagWarning = ({ tags }: KnownNames, text: string): string | undefined => {
  if (tags === undefined) return isUuid(text) ? undefined : `tags are named by id, and ${quoted(text)} is none`
  if (tags.has(text)) return undefined
  for (const [id, name] of tags)
    if (name === text) return `tags are named by id, and ${quoted(text)} is the name of the tag ${id}`
  return `no tag has the id ${quoted(text)}`
}

const warnOfParameter = ({ known, found }: Reading, { of, name }: Extract<Node, { readonly _tag: 'field' }>): void => {
  if (known.params === undefined || of._tag !== 'field' || of.name !== 'params' || !isActivity(of.of)) return
  if (!known.params.has(name)) found.push(`no operation shows the parameter ${quoted(name)}`)
}

const quoted = (text: string): string => `'${text.slice(0, 64)}'`

const childrenOf = (node: Node): readonly Node[] => {
  switch (node._tag) {
    case 'literal':
    case 'name':
    case 'timestamp':
    case 'cron-span':
      return []
    case 'struct':
      return node.members.map(({ value }) => value)
    case 'list':
      return node.items
    case 'field':
    case 'count':
    case 'not':
      return [node.of]
    case 'index':
      return [node.of, node.index]
    case 'slice':
      return [node.of, node.from, node.to]
    case 'contains':
      return [node.of, node.item]
    case 'each':
      return [node.of, node.predicate]
    case 'compare':
      return [node.left, node.right]
    case 'logic':
      return node.clauses
    default:
      return node satisfies never
  }
}
