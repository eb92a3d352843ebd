import { isObject } from '../codec/codec.ts'
import type { Explained } from './explain.ts'
import { Instant } from './instant.ts'
import { nearestOf } from '../nearest.ts'
import { printNode } from './print-node.ts'
import type { Run } from './run.ts'
import type { Node } from './syntax.ts'

/** What may help after an error: which member was missing, and which there are. It has names, and no values. */
export const hintFor = (run: Run, node: Node, parts: readonly Explained[]): string | undefined => {
  if (run.isExhausted) return 'the expression takes too many steps: it goes through long lists in long lists, perhaps'
  switch (node._tag) {
    case 'name':
      return hintForMember('this activity', node.name, run.facts)
    case 'field':
      return hintForMember(cut(printNode(node.of)), node.name, parts[0]?.value)
    case 'index':
      return isObject(parts[0]?.value)
        ? hintForKey(cut(printNode(node.of)), parts[1]?.value, parts[0].value)
        : hintForItem(cut(printNode(node.of)), parts[0]?.value)
    case 'slice':
      return hintForItem(cut(printNode(node.of)), parts[0]?.value)
    case 'cron-span':
      return 'the data of time zones of this machine does not have this zone'
    case 'compare':
      return hintForTypes(parts[0]?.value, parts[1]?.value)
    default:
      return undefined
  }
}

const hintForMember = (of: string, name: string, value: unknown): string | undefined => {
  if (!isObject(value)) return value === undefined ? undefined : `${of} is ${kindOf(value)}, and has no members`
  if (hasValue(value, name)) return `${of} has ${cut(name)}, but it is no whole number`
  const names = Object.keys(value).filter((one) => hasValue(value, one))
  return `${of} has no ${cut(name)}; it has ${listOf(names)}${nearestIn(name, names)}`
}

/** Whether a member has a value. It reads no member that is computed: an audit counts such reads. */
const hasValue = (of: object, name: string): boolean => {
  const member = Object.getOwnPropertyDescriptor(of, name)
  return member !== undefined && (member.get !== undefined || (member.value ?? undefined) !== undefined)
}

const hintForKey = (of: string, key: unknown, value: object): string =>
  typeof key === 'string' ? (hintForMember(of, key, value) ?? '') : `${of} is a map: its keys are strings`

const nearestIn = (name: string, names: readonly string[]): string => {
  const nearest = nearestOf(name, names)
  return nearest === undefined ? '' : ` (did you mean ${cut(nearest)}?)`
}

const hintForItem = (of: string, value: unknown): string | undefined => {
  if (Array.isArray(value)) return `${of} has ${counted(value.length, 'item')}, counted from 0`
  if (typeof value === 'string') return `${of} has ${counted(value.length, 'character')}, counted from 0`
  return value === undefined ? undefined : `${of} is ${kindOf(value)}`
}

const counted = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}s`}`

const hintForTypes = (left: unknown, right: unknown): string | undefined =>
  left === undefined || right === undefined ? undefined : `${kindOf(left)} was compared with ${kindOf(right)}`

const kindOf = (value: unknown): string => {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'string') return 'a string'
  if (typeof value === 'bigint' || typeof value === 'number') return 'a number'
  if (value instanceof Instant) return 'a timestamp'
  return typeof value === 'boolean' ? 'a boolean' : 'a struct'
}

const listOf = (names: readonly string[]): string => {
  if (names.length === 0) return 'nothing'
  const shown = names.slice(0, NAMES_MAX).map(cut).join(', ')
  return names.length > NAMES_MAX ? `${shown} and ${names.length - NAMES_MAX} more` : shown
}

const NAMES_MAX = 12

const cut = (text: string): string => (text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX - 1)}…` : text)
const TEXT_MAX = 64
