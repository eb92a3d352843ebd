import { E } from '../prelude.ts'
import { reserved } from './parser.ts'
import { fieldOf, type Keywords, type ListType, type Struct, type Type } from './schema.ts'
import { absent, EXPRESSION_DEPTH_MAX, isDecimal, timeless, tooDeep, type Node, type Problem } from './syntax.ts'

/**
 * Checks that an expression is a boolean, that it uses only known names, and that the types of its operands fit. This happens before a
 * policy is stored, so that its author gets the error, and not the author of a later activity.
 *
 * @returns the root keywords that it uses, or the first problem
 */
export const check = (node: Node, keywords: Keywords): E.Either<Problem, ReadonlySet<string>> => {
  const checking: Checking = { keywords, used: new Set(), problem: undefined }
  want(checking, node, [], 1, 'bool')
  return checking.problem === undefined ? E.right(checking.used) : E.left(checking.problem)
}

type Checking = { readonly keywords: Keywords; readonly used: Set<string>; problem: Problem | undefined }

type Variables = readonly { readonly name: string; readonly type: Type }[]

const unknownName = (name: string, at: number): Problem => (name === 'time' ? timeless(at) : absent('field', name))

// If it returns undefined, `checking.problem` says why; the first problem stays.
const typeOf = (checking: Checking, node: Node, variables: Variables, depth: number): Type | undefined => {
  if (depth > EXPRESSION_DEPTH_MAX) return refuse(checking, tooDeep)
  const inner = depth + 1
  switch (node._tag) {
    case 'literal':
      return literalType(node.value)
    case 'list': {
      let of: Type | undefined
      for (const item of node.items) {
        const type = typeOf(checking, item, variables, inner)
        if (type === undefined) return undefined
        const common: Type | undefined = of === undefined ? type : commonType(of, type)
        if (common === undefined) return mismatch(checking, item, 'items of one type', type)
        of = common
      }
      return { list: of ?? 'dynamic' } // an empty list fits every list
    }
    case 'name': {
      const variable = variables.findLast(({ name }) => name === node.name)
      if (variable !== undefined) return variable.type
      const keyword = Object.hasOwn(checking.keywords, node.name) ? checking.keywords[node.name] : undefined
      if (keyword === undefined) return refuse(checking, unknownName(node.name, node.at))
      checking.used.add(node.name)
      return keyword
    }
    case 'field': {
      const of = typeOf(checking, node.of, variables, inner)
      if (of === undefined) return undefined
      if (isStruct(of)) return fieldOf(of, node.name) ?? refuse(checking, absent('field', node.name))
      if (node.name === 'count' && isListLike(of)) return 'int'
      return refuse(checking, absent('field', node.name))
    }
    case 'index': {
      const of = typeOf(checking, node.of, variables, inner)
      if (of === undefined || want(checking, node.index, variables, inner, 'int') === undefined) return undefined
      if (isList(of)) return of.list
      return of === 'string' || of === 'dynamic' ? of : mismatch(checking, node, 'a list or a string', of)
    }
    case 'slice': {
      const of = typeOf(checking, node.of, variables, inner)
      if (of === undefined || want(checking, node.from, variables, inner, 'int') === undefined) return undefined
      if (want(checking, node.to, variables, inner, 'int') === undefined) return undefined
      return isListLike(of) || of === 'string' ? of : mismatch(checking, node, 'a list or a string', of)
    }
    case 'count':
      return wantList(checking, node.of, variables, inner) === undefined ? undefined : 'int'
    case 'contains': {
      const of = wantList(checking, node.of, variables, inner)
      const item = of === undefined ? undefined : typeOf(checking, node.item, variables, inner)
      if (of === undefined || item === undefined) return undefined
      return fits(item, of.list) ? 'bool' : mismatch(checking, node.item, 'what the list holds', item)
    }
    case 'each': {
      const of = wantList(checking, node.of, variables, inner)
      if (of === undefined) return undefined
      if (reserved.has(node.variable) || Object.hasOwn(checking.keywords, node.variable)) {
        return refuse(checking, { message: 'expected a name for the variable that is not a keyword', at: node.at })
      }
      const scope = [...variables, { name: node.variable, type: of.list }]
      if (want(checking, node.predicate, scope, inner, 'bool') === undefined) return undefined
      return node.quantifier === 'filter' ? of : 'bool'
    }
    case 'not':
      return want(checking, node.of, variables, inner, 'bool')
    case 'compare':
      return comparisonType(checking, node, variables, inner)
    case 'logic':
      for (const clause of node.clauses) {
        if (want(checking, clause, variables, inner, 'bool') === undefined) return undefined
      }
      return 'bool'
    default:
      return node satisfies never
  }
}

const comparisonType = (
  checking: Checking,
  node: Extract<Node, { readonly _tag: 'compare' }>,
  variables: Variables,
  depth: number,
): Type | undefined => {
  const left = typeOf(checking, node.left, variables, depth)
  const right = left === undefined ? undefined : typeOf(checking, node.right, variables, depth)
  if (left === undefined || right === undefined) return undefined
  switch (node.operator) {
    case 'in':
      if (!isListLike(right)) return mismatch(checking, node.right, "a list at the right of 'in'", right)
      return fits(left, elementOf(right)) ? 'bool' : mismatch(checking, node.left, 'what the list holds', left)
    case '==':
    case '!=':
      if (!isScalar(left)) return mismatch(checking, node.left, 'a number, a string or a boolean', left)
      if (!fits(left, right) && !isDecimalText(left, node.left, right, node.right)) {
        return mismatch(checking, node.right, `${nameOf(left)} to compare with`, right)
      }
      return 'bool'
    case '<':
    case '>':
    case '<=':
    case '>=':
      if (!fits(left, 'int')) return mismatch(checking, node.left, 'a number', left)
      return fits(right, 'int') ? 'bool' : mismatch(checking, node.right, 'a number', right)
    default:
      return node.operator satisfies never
  }
}

// Real policies also write numbers in quotes: so a string may be compared with a number, unless it is a literal that is no number.
const isDecimalText = (left: Type, leftNode: Node, right: Type, rightNode: Node): boolean => {
  if (left === 'int' && right === 'string') return !isOtherText(rightNode)
  return left === 'string' && right === 'int' && !isOtherText(leftNode)
}

const isOtherText = (node: Node): boolean =>
  node._tag === 'literal' && typeof node.value === 'string' && !isDecimal(node.value)

const want = (
  checking: Checking,
  node: Node,
  variables: Variables,
  depth: number,
  expected: 'bool' | 'int',
): Type | undefined => {
  const type = typeOf(checking, node, variables, depth)
  if (type === undefined || type === expected) return type
  // A dynamic value can be used as a number, but a condition must be known to be a boolean.
  return type === 'dynamic' && expected === 'int' ? type : mismatch(checking, node, nameOf(expected), type)
}

const wantList = (checking: Checking, node: Node, variables: Variables, depth: number): ListType | undefined => {
  const type = typeOf(checking, node, variables, depth)
  if (type === undefined) return undefined
  return isListLike(type) ? { list: elementOf(type) } : mismatch(checking, node, 'a list', type)
}

const literalType = (value: bigint | boolean | string): Type => {
  if (typeof value === 'string') return 'string'
  return typeof value === 'bigint' ? 'int' : 'bool'
}

const isList = (type: Type): type is ListType => typeof type === 'object' && 'list' in type

const isStruct = (type: Type): type is Struct => typeof type === 'object' && 'struct' in type

const isScalar = (type: Type): boolean => typeof type === 'string'

const isListLike = (type: Type): type is ListType | 'dynamic' => type === 'dynamic' || isList(type)

const elementOf = (type: ListType | 'dynamic'): Type => (type === 'dynamic' ? type : type.list)

const fits = (a: Type, b: Type): boolean =>
  isScalar(a) && isScalar(b) && (a === b || a === 'dynamic' || b === 'dynamic')

const commonType = (a: Type, b: Type): Type | undefined => {
  if (a === b) return a
  if (isList(a) && isList(b)) {
    const of = commonType(a.list, b.list)
    return of === undefined ? undefined : { list: of }
  }
  return a === 'dynamic' || b === 'dynamic' ? 'dynamic' : undefined
}

const nameOf = (type: Type): string => {
  if (isList(type)) return 'a list'
  if (isStruct(type)) return type.struct
  return NAMES[type]
}

const NAMES = { bool: 'a boolean', int: 'a number', string: 'a string', dynamic: 'a parameter' } as const

const mismatch = (checking: Checking, node: Node, expected: string, found: Type): undefined =>
  refuse(checking, { message: `expected ${expected}, found ${nameOf(found)}`, at: node.at })

const refuse = (checking: Checking, problem: Problem): undefined => {
  checking.problem ??= problem
  return undefined
}
