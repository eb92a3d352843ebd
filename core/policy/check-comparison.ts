import { counter, mismatch, type Checking, type Tagged, type Walk } from './checking.ts'
import { isDecimal, type Node } from './syntax.ts'
import { elementOf, fits, isDynamic, isList, isListLike, isMap, isStruct, nameOf, type Type } from './value-types.ts'

/** Checks the operands of a comparison. */
export const compared = (checking: Checking, node: Tagged<'compare'>, walk: Walk): void => {
  const left = walk(node.left)
  const right = walk(node.right)
  if (left === undefined || right === undefined) return
  const count = counter(checking)
  switch (node.operator) {
    case 'in':
      if (!isListLike(right)) mismatch(checking, node.right, "a list at the right of 'in'", right)
      else if (!fits(left, elementOf(right), count)) mismatch(checking, node.left, 'what the list holds', left)
      return
    case '==':
    case '!=':
      if (isList(left) || isMap(left)) mismatch(checking, node.left, 'a number, a string or a boolean', left)
      else if (!fits(left, right, count) && !isDecimalText(left, node.left, right, node.right))
        mismatch(checking, node.right, `${likeOf(left)} to compare with`, right)
      return
    case '<':
    case '>':
    case '<=':
    case '>=':
      ordered(checking, node, left, right)
      return
    default:
      node.operator satisfies never
  }
}

/** What a value of the type can be compared with: a struct with one that has all its members. */
const likeOf = (type: Type): string =>
  isStruct(type) && type.isLiteral !== true
    ? `a struct with the members ${Object.keys(type.fields).join(', ')}`
    : nameOf(type)

const ordered = (checking: Checking, node: Tagged<'compare'>, left: Type, right: Type): void => {
  const wanted = left === 'timestamp' ? left : 'int'
  for (const [part, type] of [
    [node.left, left],
    [node.right, right],
  ] as const)
    if (type !== wanted && !isDynamic(type)) mismatch(checking, part, nameOf(wanted), type)
}

// Real policies also write numbers in quotes: so a string may be compared with a number, unless it is a literal that is no number.
const isDecimalText = (left: Type, leftNode: Node, right: Type, rightNode: Node): boolean => {
  if (left === 'int' && right === 'string') return !isOtherText(rightNode)
  return left === 'string' && right === 'int' && !isOtherText(leftNode)
}

const isOtherText = (node: Node): boolean =>
  node._tag === 'literal' && typeof node.value === 'string' && !isDecimal(node.value)
