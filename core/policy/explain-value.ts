import { isObject } from '../codec/codec.ts'
import type { E } from '../prelude.ts'
import type { CronSpan } from './cron-span.ts'
import { equal, LITERAL } from './equality.ts'
import { STEPS_PER_MEMBER, STEPS_PER_SPAN } from './evaluator.ts'
import type { Names, Part } from './explain.ts'
import type { Tagged } from './checking.ts'
import { compareInstants, Instant } from './instant.ts'
import { fail, isList, read, spend, type Run } from './run.ts'
import { givenKey, type Node } from './syntax.ts'

/**
 * The value of a node; `undefined` after an error.
 *
 * @param part  evaluates a part of the node
 */
export const explainedValue = (run: Run, node: Node, names: Names, part: Part): unknown => {
  switch (node._tag) {
    case 'literal':
      return node.value
    case 'list':
      return inOrder(run, node.items, part)
    case 'struct':
      return structOf(run, node, part)
    case 'timestamp':
      return constant(run, node.value)
    case 'cron-span':
      return node.value._tag === 'Right' ? isNowIn(run, node.value.right) : constant(run, node.value)
    case 'name':
      return names.has(node.name) ? names.get(node.name) : memberOf(run, run.facts, node.name)
    case 'field': {
      const of = part(node.of)
      return of === undefined ? undefined : memberOf(run, of, node.name)
    }
    case 'index':
      return itemOf(run, node, part(node.of), part(node.index))
    case 'slice':
      return sliceOf(run, part(node.of), part(node.from), part(node.to))
    case 'count': {
      const of = part(node.of)
      if (of === undefined || !spend(run, 1)) return undefined
      return isList(of) ? BigInt(of.length) : fail(run, 'expected a list')
    }
    case 'contains':
      return isAmong(run, part(node.item), part(node.of))
    case 'each':
      return eachOf(run, node, part)
    case 'not': {
      const of = part(node.of)
      return of === undefined || !spend(run, 1) ? undefined : of !== true
    }
    case 'compare':
      return comparison(run, node, part)
    case 'logic': {
      const values = inOrder(run, node.clauses, part)
      if (values === undefined) return undefined
      return node.operator === '&&' ? !values.some((value) => value !== true) : values.includes(true)
    }
    default:
      return node satisfies never
  }
}

/** The values of a chain, up to its first error. */
const inOrder = (run: Run, nodes: readonly Node[], part: Part, steps = 1): readonly unknown[] | undefined => {
  const values: unknown[] = []
  for (const node of nodes) {
    const value = part(node)
    if (value === undefined || !spend(run, steps)) return undefined
    values.push(value)
  }
  return values
}

const structOf = (run: Run, { members }: Tagged<'struct'>, part: Part): unknown => {
  const values = inOrder(
    run,
    members.map(({ value }) => value),
    part,
    STEPS_PER_MEMBER,
  )
  if (values === undefined) return undefined
  // Without a prototype, because a member may have any name.
  const struct = Object.create(null) as Record<string | symbol, unknown>
  struct[LITERAL] = true
  for (const [index, { name }] of members.entries()) struct[name] = values[index]
  return struct
}

const constant = (run: Run, value: E.Either<string, unknown>): unknown =>
  value._tag === 'Right' ? value.right : fail(run, `expected ${value.left}`)

const isNowIn = (run: Run, span: CronSpan): boolean | undefined => {
  const { time } = run.facts
  if (!spend(run, STEPS_PER_SPAN)) return undefined
  if (time === undefined) return fail(run, 'missing field: time')
  return time.isWithin(span, time.now.ms) ?? fail(run, 'expected a time zone that is known here')
}

const memberOf = (run: Run, of: unknown, name: string): unknown => {
  if (!spend(run, 1)) return undefined
  if (isList(of) && name === 'count') return BigInt(of.length)
  if (!isObject(of)) return fail(run, 'expected a value that has fields')
  return read(run, Object.hasOwn(of, name) ? of[name] : undefined, name)
}

const itemOf = (run: Run, { index }: Tagged<'index'>, of: unknown, at: unknown): unknown => {
  if (of === undefined || at === undefined || !spend(run, 1)) return undefined
  const key = givenKey(index)
  if (key !== undefined) {
    if (!isObject(of)) return fail(run, isList(of) ? 'expected a number as index' : 'expected a map')
    return read(run, Object.hasOwn(of, key) ? of[key] : undefined, key)
  }
  if (typeof at !== 'bigint') return fail(run, 'expected a number as index')
  if (!isList(of) && typeof of !== 'string') return fail(run, 'expected a list or a string')
  const isWithin = at >= 0n && at < BigInt(of.length)
  return isWithin ? read(run, of[Number(at)], 'item') : fail(run, 'index out of range')
}

const sliceOf = (run: Run, of: unknown, from: unknown, to: unknown): unknown => {
  if (of === undefined || from === undefined || to === undefined) return undefined
  if (typeof from !== 'bigint' || typeof to !== 'bigint') return fail(run, 'expected numbers as bounds')
  if (!isList(of) && typeof of !== 'string') return fail(run, 'expected a list or a string')
  if (from < 0n || to < from || to > BigInt(of.length)) return fail(run, 'slice out of range')
  if (!spend(run, typeof of === 'string' ? 1 : 1 + Number(to - from))) return undefined
  return of.slice(Number(from), Number(to))
}

const isAmong = (run: Run, item: unknown, items: unknown): boolean | undefined => {
  if (item === undefined || items === undefined || !spend(run, 1)) return undefined
  if (!isList(items)) return fail(run, 'expected a list')
  const found: boolean[] = []
  for (const raw of items) {
    const other = read(run, raw, 'item')
    const isSame = other === undefined ? undefined : equal(run, item, other)
    if (isSame === undefined) return undefined
    found.push(isSame)
  }
  return found.includes(true)
}

const eachOf = (run: Run, { of, quantifier, variable, predicate }: Tagged<'each'>, part: Part): unknown => {
  const items = part(of)
  if (items === undefined || !spend(run, 1)) return undefined
  if (!isList(items)) return fail(run, 'expected a list')
  const chosen: unknown[] = []
  for (const raw of items) {
    const value = read(run, raw, 'item')
    if (value === undefined || !spend(run, 1)) return undefined
    const holds = part(predicate, { name: variable, value })
    if (holds === undefined) return undefined
    if (holds === true) chosen.push(value)
  }
  if (quantifier === 'filter') return chosen
  return quantifier === 'any' ? chosen.length > 0 : chosen.length === items.length
}

const comparison = (run: Run, { operator, left, right }: Tagged<'compare'>, part: Part): boolean | undefined => {
  const a = part(left)
  const b = part(right)
  if (operator === 'in') return isAmong(run, a, b)
  if (a === undefined || b === undefined) return undefined
  if (operator === '==' || operator === '!=') {
    const isSame = equal(run, a, b)
    return isSame === undefined ? undefined : isSame === (operator === '==')
  }
  if (!spend(run, 1)) return undefined
  const order = orderOf(a, b)
  if (order === undefined) return fail(run, 'expected two numbers, or two timestamps, to compare')
  return { '<': order < 0, '>': order > 0, '<=': order <= 0, '>=': order >= 0 }[operator]
}

const orderOf = (a: unknown, b: unknown): number | undefined => {
  if (a instanceof Instant && b instanceof Instant) return compareInstants(a, b)
  if (typeof a !== 'bigint' || typeof b !== 'bigint') return undefined
  return a < b ? -1 : Number(a > b)
}
