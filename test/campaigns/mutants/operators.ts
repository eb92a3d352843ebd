import { parseSync, type Expression, type Node } from 'oxc-parser'

/** A mistake that somebody could have made: one place of a file, written otherwise. */
export type Mutant = {
  readonly file: string
  /** Where the place begins and ends, in characters. */
  readonly start: number
  readonly end: number
  readonly put: string
  /** From 1. */
  readonly line: number
}

/** Every mutant of a source file: bounds moved by one, conditions turned round, statements left out, and the like. */
export const mutantsOf = (file: string, text: string): readonly Mutant[] => {
  const mutants: Mutant[] = []
  const visit = (node: Node, parent: Node | undefined): void => {
    if (isTypeOnly(node)) return
    for (const [{ start, end }, put] of changesOf(node, parent, text)) {
      const line = text.slice(0, start).split('\n').length
      if (text.slice(start, end) !== put) mutants.push({ file, start, end, put, line })
    }
    for (const child of childrenOf(node)) visit(child, node)
  }
  visit(parseSync(file, text).program, undefined)
  return mutants
}

/** The text with the mistake in it. */
export const mutated = (text: string, { start, end, put }: Pick<Mutant, 'start' | 'end' | 'put'>): string =>
  `${text.slice(0, start)}${put}${text.slice(end)}`

const childrenOf = (node: Node): readonly Node[] =>
  Object.values(node)
    .flat()
    .filter((value): value is Node => typeof value === 'object' && value !== null && 'type' in value)

// Assertions of types hold expressions; all other nodes of that name are erased before the program runs.
const isTypeOnly = ({ type }: Node): boolean =>
  (type.startsWith('TS') && !['TSAsExpression', 'TSSatisfiesExpression'].includes(type)) ||
  ['ImportDeclaration', 'ExportAllDeclaration'].includes(type)

type Place = { readonly start: number; readonly end: number }
type Change = readonly [place: Place, put: string]

const changesOf = (node: Node, parent: Node | undefined, text: string): readonly Change[] => {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression':
      return ofOperator(node.left, node.right, node.operator, text)
    case 'UnaryExpression':
      return node.operator === '!' ? [[node, `(${textOf(node.argument, text)})`]] : []
    case 'ConditionalExpression':
    case 'IfStatement':
      return [
        [node.test, 'true'],
        [node.test, 'false'],
      ]
    case 'Literal':
      return ofLiteral(node, parent)
    case 'ExpressionStatement':
    case 'ContinueStatement':
      return [[node, ';']]
    case 'MemberExpression':
      return ofMember(node.property, text)
    case 'CallExpression':
      return ofCall(node, text)
    default:
      return []
  }
}

const textOf = ({ start, end }: Place, text: string): string => text.slice(start, end)

const ofOperator = (left: Node, right: Expression, operator: string, text: string): readonly Change[] => {
  if (operator === '??') {
    // What stands behind it is often there for the compiler alone, and never used.
    return isConstant(right) ? [] : [[{ start: left.start, end: right.end }, textOf(right, text)]]
  }
  const isText = [left, right].some(
    (side) => side.type === 'TemplateLiteral' || (side.type === 'Literal' && typeof side.value === 'string'),
  )
  const put = isText && operator === '+' ? undefined : operators[operator]
  const start = text.indexOf(operator, left.end)
  return put === undefined ? [] : [[{ start, end: start + operator.length }, put]]
}

const isConstant = (node: Expression): boolean =>
  node.type === 'Literal' ||
  node.type === 'Identifier' ||
  (node.type === 'ArrayExpression' && node.elements.length === 0) ||
  (node.type === 'ObjectExpression' && node.properties.length === 0)

const operators: { readonly [operator: string]: string } = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  '+=': '-=',
  '-=': '+=',
}

const ofLiteral = (node: Extract<Node, { type: 'Literal' }>, parent: Node | undefined): readonly Change[] => {
  if (parent?.type === 'Property' && parent.key === node) return []
  if (typeof node.value === 'number') return [[node, String(node.value + 1)]]
  if (typeof node.value === 'bigint') return [[node, `${node.value + 1n}n`]]
  return typeof node.value === 'boolean' ? [[node, String(!node.value)]] : []
}

/** A method is mistaken for another. */
const ofMember = (property: Node, text: string): readonly Change[] => {
  const put = Object.hasOwn(methods, textOf(property, text)) ? methods[textOf(property, text)] : undefined
  return put === undefined ? [] : [[property, put]]
}

const methods: { readonly [name: string]: string } = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  findLast: 'find',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  ceil: 'floor',
  floor: 'ceil',
}

/** A selection is left out. */
const ofCall = (node: Extract<Node, { type: 'CallExpression' }>, text: string): readonly Change[] => {
  const { callee } = node
  return callee.type === 'MemberExpression' && textOf(callee.property, text) === 'filter' && node.arguments.length === 1
    ? [[node, textOf(callee.object, text)]]
    : []
}
