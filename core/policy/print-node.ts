import type { Node } from './syntax.ts'

/** Writes an expression on one line, with the parentheses that it needs. Parsing the text gives the same tree. */
export const printNode = (node: Node): string => print(node, LOOSEST)

/** How tightly the forms of the grammar bind. */
const LOOSEST = 1
const CONJUNCTION = 2
const COMPARISON = 3
const UNARY = 4
const POSTFIX = 5

/** @param level  what binds less tightly than this gets parentheses */
const print = (node: Node, level: number): string => {
  const own = levelOf(node)
  return own < level ? `(${bare(node)})` : bare(node)
}

const levelOf = (node: Node): number => {
  switch (node._tag) {
    case 'logic':
      return node.operator === '||' ? LOOSEST : CONJUNCTION
    case 'compare':
      return COMPARISON
    case 'not':
      return UNARY
    default:
      return POSTFIX
  }
}

const bare = (node: Node): string => {
  switch (node._tag) {
    case 'literal':
      return typeof node.value === 'string' ? quoted(node.value) : String(node.value)
    case 'list':
      return `[${node.items.map(printNode).join(', ')}]`
    case 'struct':
      return `{ ${node.members.map(({ name, value }) => `${name}: ${printNode(value)}`).join(', ')} }`
    case 'timestamp':
      return `Timestamp(${quoted(node.text)})`
    case 'cron-span':
      return `CronSpan(${node.texts.map(quoted).join(', ')})`
    case 'name':
      return node.name
    case 'field':
      return `${print(node.of, POSTFIX)}.${node.name}`
    case 'index':
      return `${print(node.of, POSTFIX)}[${printNode(node.index)}]`
    case 'slice':
      return `${print(node.of, POSTFIX)}[${printNode(node.from)}..${printNode(node.to)}]`
    case 'count':
      return `${print(node.of, POSTFIX)}.count()`
    case 'contains':
      return `${print(node.of, POSTFIX)}.contains(${printNode(node.item)})`
    case 'each':
      return `${print(node.of, POSTFIX)}.${node.quantifier}(${node.variable}, ${printNode(node.predicate)})`
    case 'not':
      return `!${print(node.of, UNARY)}`
    case 'compare':
      return `${print(node.left, UNARY)} ${node.operator} ${print(node.right, UNARY)}`
    case 'logic': {
      const inner = node.operator === '||' ? CONJUNCTION : COMPARISON
      return node.clauses.map((clause) => print(clause, inner)).join(` ${node.operator} `)
    }
    default:
      return node satisfies never
  }
}

// Strings have no escapes, and cannot hold a quote.
const quoted = (text: string): string => `'${text}'`
