import { parse } from '../../../../core/policy/parser.ts'
import { conditionKeywords } from '../../../../core/policy/schema.ts'
import type { Node } from '../../../../core/policy/syntax.ts'
import {
  elementOf,
  fieldOf,
  isList,
  isListLike,
  isMap,
  isStruct,
  type Type,
} from '../../../../core/policy/value-types.ts'

/*
 * Which members of the structs of the keywords there are, and which of them conditions name: each as the name of the struct, a point, and
 * the name of the member.
 */

const keywords = conditionKeywords()

/** The members of the structs of keywords, and of the structs inside of these. */
export const membersOf = (...names: readonly string[]): ReadonlySet<string> => {
  const members = new Set<string>()
  const add = (type: Type): void => {
    if (isList(type)) return add(type.list)
    if (isMap(type)) return add(type.map)
    if (!isStruct(type)) return
    for (const [name, member] of Object.entries(type.fields)) {
      members.add(`${type.struct}.${name}`)
      add(member)
    }
  }
  for (const name of names) add(keywords[name] ?? 'dynamic')
  return members
}

/** The members that conditions name. */
export const namedIn = (conditions: Iterable<string>): ReadonlySet<string> => {
  const named = new Set<string>()
  for (const condition of conditions) {
    const tree = parse(condition)
    if (tree._tag === 'Left') throw new Error(`bad condition in a test: ${condition}`)
    typeOf(tree.right, keywords, named)
  }
  return named
}

type Names = Readonly<Record<string, Type>>

/** The type of a node, if it has members; adds the members that the node and those inside of it name. */
const typeOf = (node: Node, names: Names, named: Set<string>): Type => {
  const inside = (...nodes: readonly Node[]): readonly Type[] => nodes.map((one) => typeOf(one, names, named))
  switch (node._tag) {
    case 'name':
      return names[node.name] ?? 'dynamic'
    case 'field': {
      const [of = 'dynamic'] = inside(node.of)
      if (!isStruct(of)) return 'dynamic'
      named.add(`${of.struct}.${node.name}`)
      return fieldOf(of, node.name) ?? 'dynamic'
    }
    case 'index': {
      const [of = 'dynamic'] = inside(node.of, node.index)
      return isMap(of) ? of.map : itemOf(of)
    }
    case 'each': {
      const [of = 'dynamic'] = inside(node.of)
      typeOf(node.predicate, { ...names, [node.variable]: itemOf(of) }, named)
      return node.quantifier === 'filter' ? of : 'bool'
    }
    case 'slice':
      return inside(node.of, node.from, node.to)[0] ?? 'dynamic'
    default:
      inside(...nodesIn(node))
      return 'dynamic'
  }
}

const itemOf = (type: Type): Type => (isListLike(type) ? elementOf(type) : 'dynamic')

/** The nodes inside of one that has no members itself. */
const nodesIn = (node: Node): readonly Node[] => {
  switch (node._tag) {
    case 'list':
      return node.items
    case 'struct':
      return node.members.map(({ value }) => value)
    case 'count':
    case 'not':
      return [node.of]
    case 'contains':
      return [node.of, node.item]
    case 'compare':
      return [node.left, node.right]
    case 'logic':
      return node.clauses
    default:
      return []
  }
}
