import { equal } from './equality.ts'
import { printNode } from './print-node.ts'
import { currentRules } from './rules.ts'
import { STEPS_MAX, type Run } from './run.ts'
import { givenKey, type Comparison, type Node } from './syntax.ts'
import { elementOf, fieldOf, isListLike, isMap, isStruct, type Type } from './value-types.ts'

/** A value of an expression, as far as it is known before there is an activity. */
export type Value =
  | { readonly _tag: 'known'; readonly value: bigint | boolean | string }
  | { readonly _tag: 'list'; readonly items: readonly Value[] }
  /** `least`: the least length, if it is a list or a text. */
  | { readonly _tag: 'unknown'; readonly type: Type | undefined; readonly least: number }

export const known = (value: bigint | boolean | string): Value => ({ _tag: 'known', value })
export const unknown = (type?: Type, least = 0): Value => ({ _tag: 'unknown', type, least })
export const truthOf = (value: Value): boolean | undefined =>
  value._tag === 'known' && typeof value.value === 'boolean' ? value.value : undefined

/** What the names of an expression stand for. */
export type Names = {
  /** The value of a keyword; undefined if an activity does not have it. */
  readonly keyword: (name: string) => Value | undefined
  /** The value of a field of `activity`; undefined if it is not known. */
  readonly activityField: (name: string) => string | undefined
  /** Whether an activity may lack the parameter. */
  readonly lacksParam: (name: string) => boolean
}

/** One evaluation of an expression with values that may be unknown. */
export type Reading = Names & {
  /** Of several evaluations together, because a policy may have very many nodes. */
  readonly steps: { left: number }
  /** What was read and may be absent: the end of a sentence for each. */
  readonly gaps: Set<string>
}

export type Scope = ReadonlyMap<string, Value>

type Tagged<Tag extends Node['_tag']> = Extract<Node, { readonly _tag: Tag }>

/** Evaluates all parts, as the evaluator does, and goes on where that would err. */
export const valueOf = (reading: Reading, node: Node, scope: Scope): Value => {
  reading.steps.left -= 1
  if (reading.steps.left < 0) return unknown()
  const of = (part: Node): Value => valueOf(reading, part, scope)
  switch (node._tag) {
    case 'literal':
      return known(node.value)
    case 'list':
      return { _tag: 'list', items: node.items.map(of) }
    case 'struct':
      for (const { value } of node.members) of(value)
      return unknown()
    case 'timestamp':
    case 'cron-span':
      return unknown()
    case 'name':
      return scope.get(node.name) ?? reading.keyword(node.name) ?? gap(reading, node)
    case 'field':
      return memberOf(reading, node, of(node.of))
    case 'index':
      return itemOf(reading, node, of(node.of), of(node.index))
    case 'slice':
      return partOf(reading, node, of(node.of), of(node.from), of(node.to))
    case 'count':
      return countOf(of(node.of))
    case 'contains':
      return isAmong(of(node.item), of(node.of))
    case 'each':
      return eachOf(reading, node, of(node.of), scope)
    case 'not':
      return not(of(node.of))
    case 'compare':
      return compared(node.operator, of(node.left), of(node.right))
    case 'logic':
      return joined(node.operator, node.clauses.map(of))
    default:
      return node satisfies never
  }
}

/** Notes what may be absent. Only so many are of use, and writing them takes longer than reading them. */
const gap = ({ gaps }: Reading, absent: Node | undefined, type?: Type): Value => {
  if (gaps.size >= GAPS_MAX) return unknown(type)
  const text = absent === undefined ? OUT_OF_RANGE : `without ${printNode(absent)}`
  gaps.add(text.length > GAP_LENGTH_MAX ? `${text.slice(0, GAP_LENGTH_MAX)}…` : text)
  return unknown(type)
}

const GAPS_MAX = 20
const GAP_LENGTH_MAX = 100
const OUT_OF_RANGE = 'where an index or a part is out of range'

const perhaps = (value: boolean | undefined): Value => (value === undefined ? unknown() : known(value))

const isActivity = (node: Node): boolean => node._tag === 'name' && node.name === 'activity'

const memberOf = (reading: Reading, node: Tagged<'field'>, of: Value): Value => {
  const { name } = node
  const field = isActivity(node.of) ? reading.activityField(name) : undefined
  if (field !== undefined) return known(field)
  const type = typeOf(of)
  if (name === 'count' && (type === undefined || isListLike(type))) return countOf(of)
  if (type === undefined || !isStruct(type)) return unknown()
  const isParam = node.of._tag === 'field' && node.of.name === 'params' && isActivity(node.of.of)
  const mayBeAbsent = isParam ? reading.lacksParam(name) : type.optional?.has(name) === true
  const member = fieldOf(type, name)
  return mayBeAbsent ? gap(reading, node, member) : unknown(member, LEAST_LENGTHS[`${type.struct}.${name}`])
}

/** The least lengths of texts that are never shorter: ids are UUIDs, and public keys have 32 bytes or more in hexadecimal digits. */
const LEAST_LENGTHS: { readonly [member: string]: number } = {
  'User.id': 36,
  'Credential.id': 36,
  'Credential.user_id': 36,
  'Credential.public_key': 64,
}

const typeOf = (value: Value): Type | undefined => {
  if (value._tag !== 'unknown' || value.type === undefined) return undefined
  return typeof value.type === 'object' && 'believed' in value.type ? undefined : value.type // a belief means nothing
}

const itemOf = (reading: Reading, node: Tagged<'index'>, of: Value, index: Value): Value => {
  const type = typeOf(of)
  if (givenKey(node.index) !== undefined)
    return gap(reading, node, type !== undefined && isMap(type) ? type.map : undefined)
  const item = type !== undefined && isListLike(type) ? elementOf(type) : undefined
  const at = index._tag === 'known' && typeof index.value === 'bigint' ? index.value : undefined
  if (at === undefined || at < 0n || at >= BigInt(leastLengthOf(of))) return gap(reading, undefined, item)
  if (of._tag === 'known' && typeof of.value === 'string') return known(of.value.charAt(Number(at)))
  return (of._tag === 'list' ? of.items[Number(at)] : undefined) ?? unknown(item)
}

const partOf = (
  reading: Reading,
  { of: whole, to: end }: Tagged<'slice'>,
  of: Value,
  from: Value,
  to: Value,
): Value => {
  const [start, stop] = [from, to].map((bound) =>
    bound._tag === 'known' && typeof bound.value === 'bigint' ? bound.value : undefined,
  )
  const least = BigInt(leastLengthOf(of))
  const isToEnd = (end._tag === 'count' || (end._tag === 'field' && end.name === 'count')) && isSame(end.of, whole)
  if (start !== undefined && start >= 0n && start <= least && stop === undefined && isToEnd) return unknown(typeOf(of))
  if (start === undefined || stop === undefined || start < 0n || stop < start || stop > least)
    return gap(reading, undefined, typeOf(of))
  if (of._tag === 'list') return { _tag: 'list', items: of.items.slice(Number(start), Number(stop)) }
  if (of._tag === 'known' && typeof of.value === 'string') return known(of.value.slice(Number(start), Number(stop)))
  return unknown(typeOf(of), Number(stop - start))
}

const isSame = (a: Node, b: Node): boolean => printNode(a) === printNode(b)

const leastLengthOf = (value: Value): number => {
  if (value._tag === 'list') return value.items.length
  if (value._tag === 'unknown') return value.least
  return typeof value.value === 'string' ? value.value.length : 0
}

const countOf = (of: Value): Value => (of._tag === 'list' ? known(BigInt(of.items.length)) : unknown())

const isAmong = (item: Value, list: Value): Value =>
  list._tag === 'list'
    ? joined(
        '||',
        list.items.map((other) => compared('==', item, other)),
      )
    : unknown()

const eachOf = (reading: Reading, node: Tagged<'each'>, of: Value, scope: Scope): Value => {
  const holds = (item: Value): boolean | undefined =>
    truthOf(valueOf(reading, node.predicate, new Map(scope).set(node.variable, item)))
  if (of._tag === 'list') return quantified(node.quantifier, of.items, of.items.map(holds))
  const type = typeOf(of)
  const held = holds(unknown(type !== undefined && isListLike(type) ? elementOf(type) : undefined))
  if (node.quantifier === 'filter') return unknown(type)
  return perhaps(held === (node.quantifier === 'all') ? held : undefined) // the list may be empty
}

const quantified = (
  quantifier: Tagged<'each'>['quantifier'],
  items: readonly Value[],
  held: readonly (boolean | undefined)[],
): Value => {
  if (quantifier !== 'filter') return joined(quantifier === 'all' ? '&&' : '||', held.map(perhaps))
  const chosen = items.filter((_, at) => held[at] === true)
  return held.includes(undefined) ? unknown(undefined, chosen.length) : { _tag: 'list', items: chosen }
}

const not = (value: Value): Value => {
  const truth = truthOf(value)
  return perhaps(truth === undefined ? undefined : !truth)
}

/** One clause that decides decides the whole. */
const joined = (operator: '&&' | '||', clauses: readonly Value[]): Value => {
  const decisive = operator === '||'
  const truths = clauses.map(truthOf)
  if (truths.includes(decisive)) return known(decisive)
  return perhaps(truths.includes(undefined) ? undefined : !decisive)
}

const compared = (operator: Comparison, left: Value, right: Value): Value => {
  if (operator === 'in') return isAmong(left, right)
  if (left._tag !== 'known' || right._tag !== 'known') return unknown()
  const [a, b] = [left.value, right.value]
  if (operator === '==' || operator === '!=') {
    const areSame = equal(anyRun(), a, b)
    return perhaps(areSame === undefined ? undefined : areSame === (operator === '=='))
  }
  if (typeof a !== 'bigint' || typeof b !== 'bigint') return unknown()
  switch (operator) {
    case '<':
      return known(a < b)
    case '>':
      return known(a > b)
    case '<=':
      return known(a <= b)
    case '>=':
      return known(a >= b)
    default:
      return operator satisfies never
  }
}

const anyRun = (): Run => ({
  facts: {},
  variables: [],
  stepsMax: STEPS_MAX,
  textShift: currentRules.textShift,
  steps: 0,
  reason: undefined,
  isExhausted: false,
})
