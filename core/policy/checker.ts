import { E } from '../prelude.ts'
import { compared } from './check-comparison.ts'
import {
  counter,
  mismatch,
  refuse,
  unknown,
  type Checked,
  type Checking,
  type Scope,
  type Tagged,
  type Variables,
  type Walk,
} from './checking.ts'
import { CONSTRUCTORS, reserved } from './parser.ts'
import { tooDeep, type Problem } from './problem.ts'
import { EXPRESSION_DEPTH_MAX, givenKey, type Node } from './syntax.ts'
import {
  commonType,
  elementOf,
  fieldOf,
  fits,
  isDynamic,
  isList,
  isListLike,
  isMap,
  isStruct,
  nameOf,
  structFields,
  type ListOf,
  type Type,
} from './value-types.ts'

/**
 * Checks that an expression is a boolean, that it uses only known names, and that the types of its operands fit. This happens before a
 * policy is stored, so that its author gets the errors, and not the author of a later activity.
 *
 * @returns what the expression uses, or its problems in the order of the text, at most `PROBLEMS_MAX`
 */
export const check = (node: Node, scope: Scope): E.Either<readonly Problem[], Checked> => {
  const checking: Checking = { scope, used: new Set(), spans: [], problems: new Map(), compared: 0 }
  want(checking, node, [], 1, 'bool')
  const problems = [...checking.problems.values()].toSorted((a, b) => a.at - b.at)
  return problems.length === 0 ? E.right({ keywords: checking.used, spans: checking.spans }) : E.left(problems)
}

// If it returns undefined, there is a problem, and the type is not known.
const typeOf = (checking: Checking, node: Node, variables: Variables, depth: number): Type | undefined => {
  if (depth > EXPRESSION_DEPTH_MAX) return refuse(checking, tooDeep(node.at))
  const walk: Walk = (part, inner = variables) => typeOf(checking, part, inner, depth + 1)
  const inner = depth + 1
  switch (node._tag) {
    case 'literal':
      return literalType(node.value)
    case 'list':
      return listType(checking, node.items, walk)
    case 'struct':
      return structType(node.members, walk)
    case 'timestamp':
    case 'cron-span':
      return timeType(checking, node)
    case 'name':
      return namedType(checking, node, variables)
    case 'field':
      return memberType(checking, node, walk(node.of))
    case 'index':
      return itemType(checking, node, walk)
    case 'slice': {
      const of = walk(node.of)
      want(checking, node.from, variables, inner, 'int')
      want(checking, node.to, variables, inner, 'int')
      if (of === undefined || isListLike(of) || of === 'string') return of
      return mismatch(checking, node, 'a list or a string', of)
    }
    case 'count':
      asList(checking, node.of, walk(node.of))
      return 'int'
    case 'contains': {
      const of = asList(checking, node.of, walk(node.of))
      const item = walk(node.item)
      if (of === undefined || item === undefined || fits(item, of.list, counter(checking))) return 'bool'
      mismatch(checking, node.item, 'what the list holds', item)
      return 'bool'
    }
    case 'each':
      return eachType(checking, node, variables, depth)
    case 'not':
      want(checking, node.of, variables, inner, 'bool')
      return 'bool'
    case 'compare':
      compared(checking, node, walk)
      return 'bool'
    case 'logic':
      for (const clause of node.clauses) want(checking, clause, variables, inner, 'bool')
      return 'bool'
    default:
      return node satisfies never
  }
}

const listType = (checking: Checking, items: readonly Node[], walk: Walk): Type | undefined => {
  let of: Type | undefined
  let isWhole = true
  for (const item of items) {
    const type = walk(item)
    const common: Type | undefined = of === undefined || type === undefined ? type : commonType(of, type)
    isWhole &&= common !== undefined
    if (common === undefined && type !== undefined) mismatch(checking, item, 'items of one type', type)
    of = common ?? of
  }
  return isWhole ? { list: of ?? 'dynamic' } : undefined // an empty list fits every list
}

const structType = (members: Tagged<'struct'>['members'], walk: Walk): Type | undefined => {
  const fields = structFields()
  let isWhole = true
  for (const { name, value } of members) {
    const type = walk(value)
    isWhole &&= type !== undefined
    fields[name] = type ?? 'dynamic'
  }
  return isWhole ? { struct: 'a struct', fields, isLiteral: true } : undefined
}

const timeType = (checking: Checking, node: Tagged<'timestamp' | 'cron-span'>): Type => {
  if (!checking.scope.hasTime)
    refuse(checking, { message: `${CONSTRUCTORS.join(' and ')} belong in the time of a policy`, at: node.at })
  else if (node.value._tag === 'Left')
    refuse(checking, { message: `expected ${node.value.left}`, at: node.at, expected: node.value.left })
  else if (node._tag === 'cron-span' && node.value._tag === 'Right')
    checking.spans.push({ span: node.value.right, at: node.at })
  return node._tag === 'timestamp' ? 'timestamp' : 'bool'
}

const namedType = (checking: Checking, node: Tagged<'name'>, variables: Variables): Type | undefined => {
  const { keywords, elsewhere } = checking.scope
  const variable = variables.findLast(({ name }) => name === node.name)
  if (variable !== undefined) return variable.type
  const keyword = Object.hasOwn(keywords, node.name) ? keywords[node.name] : undefined
  if (keyword === undefined) {
    const other = elsewhere?.get(node.name)
    const names = other === undefined ? [...Object.keys(keywords), ...variables.map(({ name }) => name)] : []
    return unknown(checking, node, names, other)
  }
  checking.used.add(node.name)
  return keyword
}

const memberType = (checking: Checking, node: Tagged<'field'>, given: Type | undefined): Type | undefined => {
  if (given === undefined) return undefined
  const of = typeof given === 'object' && 'believed' in given && isStruct(given.believed) ? given.believed : given
  if (node.name === 'count' && isListLike(given)) return 'int'
  if (isStruct(of)) return fieldOf(of, node.name) ?? unknown(checking, node, Object.keys(of.fields))
  if (isMap(of)) return unknown(checking, node, [], 'the members of a map stand in brackets')
  return unknown(checking, node, isListLike(of) ? ['count'] : [])
}

const itemType = (checking: Checking, node: Tagged<'index'>, walk: Walk): Type | undefined => {
  const of = walk(node.of)
  const index = walk(node.index)
  const needs = of === undefined ? undefined : indexOf(of)
  if (of === undefined) return undefined
  if (needs === undefined) return mismatch(checking, node, 'a list, a map or a string', of)
  if (index !== undefined && !needs.includes(index) && !(isDynamic(index) && needs.includes('int')))
    mismatch(checking, node.index, needs.map(nameOf).join(' or '), index)
  else if (index === 'string' && givenKey(node.index) === undefined)
    refuse(checking, { message: 'expected a key as a string literal', at: node.index.at })
  if (isMap(of)) return of.map
  return isListLike(of) ? elementOf(of) : of
}

/** The types that can stand in brackets behind a value of the type. */
const indexOf = (of: Type): readonly Type[] | undefined => {
  if (isMap(of)) return ['string']
  if (isDynamic(of)) return ['int', 'string']
  return isList(of) || of === 'string' ? ['int'] : undefined
}

const eachType = (checking: Checking, node: Tagged<'each'>, variables: Variables, depth: number): Type | undefined => {
  const { variable: name, quantifier } = node
  const of = asList(checking, node.of, typeOf(checking, node.of, variables, depth + 1))
  if (reserved.has(name) || checking.scope.unhidden.has(name))
    refuse(checking, { message: 'expected a name for the variable that is not a keyword', at: node.at })
  want(checking, node.predicate, [...variables, { name, type: of?.list }], depth + 1, 'bool')
  return quantifier === 'filter' ? of : 'bool'
}

const want = (checking: Checking, node: Node, variables: Variables, depth: number, expected: 'bool' | 'int'): void => {
  const type = typeOf(checking, node, variables, depth)
  // A dynamic value can be used as a number, but a condition must be known to be a boolean.
  if (type === undefined || type === expected || (isDynamic(type) && expected === 'int')) return
  mismatch(checking, node, nameOf(expected), type)
}

const asList = (checking: Checking, node: Node, type: Type | undefined): ListOf | undefined => {
  if (type === undefined) return undefined
  return isListLike(type) ? { list: elementOf(type) } : mismatch(checking, node, 'a list', type)
}

const literalType = (value: bigint | boolean | string): Type => {
  if (typeof value === 'string') return 'string'
  return typeof value === 'bigint' ? 'int' : 'bool'
}
