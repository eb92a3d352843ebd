import type { Node } from '../../../core/policy/syntax.ts'

/** Writes a tree so that parsing gives it back: with parentheses around everything that has an operator. */
export const print = (node: Node): string => {
  switch (node._tag) {
    case 'literal':
      return typeof node.value === 'string' ? `'${node.value}'` : String(node.value)
    case 'list':
      return `[${node.items.map(print).join(', ')}]`
    case 'struct':
      return `{ ${node.members.map(({ name, value }) => `${name}: ${print(value)}`).join(', ')} }`
    case 'timestamp':
      return `Timestamp('${node.text}')`
    case 'cron-span':
      return `CronSpan(${node.texts.map((text) => `'${text}'`).join(', ')})`
    case 'name':
      return node.name
    case 'field':
      return `${print(node.of)}.${node.name}`
    case 'index':
      return `${print(node.of)}[${print(node.index)}]`
    case 'slice':
      return `${print(node.of)}[${print(node.from)}..${print(node.to)}]`
    case 'count':
      return `${print(node.of)}.count()`
    case 'contains':
      return `${print(node.of)}.contains(${print(node.item)})`
    case 'each':
      return `${print(node.of)}.${node.quantifier}(${node.variable}, ${print(node.predicate)})`
    case 'not':
      return `(!${print(node.of)})`
    case 'compare':
      return `(${print(node.left)} ${node.operator} ${print(node.right)})`
    case 'logic':
      return `(${node.clauses.map(print).join(` ${node.operator} `)})`
    default:
      return node satisfies never
  }
}
