import { isObject } from '../codec/codec.ts'
import type { E } from '../prelude.ts'
import { compareInstants, Instant } from './instant.ts'
import { equal, LITERAL } from './equality.ts'
import { fail, isList, read, spend, type Run } from './run.ts'
import type { CronSpan } from './cron-span.ts'
import { givenKey, type Comparison, type Member, type Node, type Quantifier } from './syntax.ts'

export { STEPS_MAX, type Run, type TimeFacts } from './run.ts'

/**
 * A node as a function. Values are strings, bigints, booleans, lists and structs; undefined means that the run has
 * failed and its reason is set.
 *
 * Every clause and every element is evaluated, and one failure fails the whole expression. So a run stops at its first failure, but not
 * when its result is known.
 */
export type Evaluator = (run: Run) => unknown

/** A checked expression as a function. `scope` names the variables around it, outermost first. */
export const evaluatorOf = (node: Node, scope: readonly string[] = []): Evaluator => {
  switch (node._tag) {
    case 'literal': {
      const { value } = node
      return () => value
    }
    case 'list':
      return listOf(node.items.map((item) => evaluatorOf(item, scope)))
    case 'struct':
      return structOf(node.members, scope)
    case 'timestamp':
      return constant(node.value)
    case 'cron-span':
      return node.value._tag === 'Right' ? within(node.value.right) : constant(node.value)
    case 'name': {
      const slot = scope.lastIndexOf(node.name)
      return slot === -1 ? fieldOf((run) => run.facts, node.name) : (run) => run.variables[slot]
    }
    case 'field':
      return fieldOf(evaluatorOf(node.of, scope), node.name)
    case 'index':
      return indexOf(evaluatorOf(node.of, scope), evaluatorOf(node.index, scope), givenKey(node.index))
    case 'slice':
      return sliceOf(evaluatorOf(node.of, scope), evaluatorOf(node.from, scope), evaluatorOf(node.to, scope))
    case 'count':
      return countOf(evaluatorOf(node.of, scope))
    case 'contains':
      return membership(evaluatorOf(node.item, scope), evaluatorOf(node.of, scope))
    case 'each': {
      const predicate = evaluatorOf(node.predicate, [...scope, node.variable])
      return each(node.quantifier, evaluatorOf(node.of, scope), scope.length, predicate)
    }
    case 'not':
      return negation(evaluatorOf(node.of, scope))
    case 'compare':
      return comparison(node.operator, evaluatorOf(node.left, scope), evaluatorOf(node.right, scope))
    case 'logic': {
      const clauses = node.clauses.map((clause) => evaluatorOf(clause, scope))
      return logic(clauses, node.operator === '&&')
    }
    default:
      return node satisfies never
  }
}

const listOf =
  (items: readonly Evaluator[]): Evaluator =>
  (run) => {
    const values: unknown[] = []
    for (const item of items) {
      const value = item(run)
      if (value === undefined || !spend(run, 1)) return undefined
      values.push(value)
    }
    return values
  }

/** What setting a member costs: a struct of any names takes longer than a list. */
export const STEPS_PER_MEMBER = 2

const structOf = (members: readonly Member[], scope: readonly string[]): Evaluator => {
  const parts = members.map(({ name, value }) => ({ name, of: evaluatorOf(value, scope) }))
  return (run) => {
    // Without a prototype, because a member may have any name.
    const struct = Object.create(null) as Record<string | symbol, unknown>
    struct[LITERAL] = true
    for (const { name, of } of parts) {
      const value = of(run)
      if (value === undefined || !spend(run, STEPS_PER_MEMBER)) return undefined
      struct[name] = value
    }
    return struct
  }
}

/** A value that the checker has admitted. */
const constant = (value: E.Either<string, unknown>): Evaluator =>
  value._tag === 'Right' ? () => value.right : (run) => fail(run, `expected ${value.left}`)

/** What finding a moment among spans costs: days of a calendar are looked up. */
export const STEPS_PER_SPAN = 1000

const within =
  (span: CronSpan): Evaluator =>
  (run) => {
    const { time } = run.facts
    if (!spend(run, STEPS_PER_SPAN)) return undefined
    if (time === undefined) return fail(run, 'missing field: time')
    return time.isWithin(span, time.now.ms) ?? fail(run, 'expected a time zone that is known here')
  }

const fieldOf =
  (of: Evaluator, name: string): Evaluator =>
  (run) => {
    const value = of(run)
    if (value === undefined || !spend(run, 1)) return undefined
    if (isList(value) && name === 'count') return BigInt(value.length)
    if (!isObject(value)) return fail(run, 'expected a value that has fields')
    return Object.hasOwn(value, name) ? read(run, value[name], name) : fail(run, `missing field: ${name.slice(0, 64)}`)
  }

const indexOf =
  (of: Evaluator, index: Evaluator, key: string | undefined): Evaluator =>
  (run) => {
    const value = of(run)
    const at = index(run)
    if (value === undefined || at === undefined || !spend(run, 1)) return undefined
    if (key !== undefined) return memberOf(run, value, key)
    if (typeof at !== 'bigint') return fail(run, 'expected a number as index')
    if (!isList(value) && typeof value !== 'string') return fail(run, 'expected a list or a string')
    if (at < 0n || at >= BigInt(value.length)) return fail(run, 'index out of range')
    return read(run, value[Number(at)], 'item')
  }

const memberOf = (run: Run, map: unknown, key: string): unknown => {
  if (!isObject(map)) return fail(run, isList(map) ? 'expected a number as index' : 'expected a map')
  return Object.hasOwn(map, key) ? read(run, map[key], key) : fail(run, `missing field: ${key.slice(0, 64)}`)
}

const sliceOf =
  (of: Evaluator, from: Evaluator, to: Evaluator): Evaluator =>
  (run) => {
    const value = of(run)
    const start = from(run)
    const end = to(run)
    if (value === undefined || start === undefined || end === undefined) return undefined
    if (typeof start !== 'bigint' || typeof end !== 'bigint') return fail(run, 'expected numbers as bounds')
    if (!isList(value) && typeof value !== 'string') return fail(run, 'expected a list or a string')
    if (start < 0n || end < start || end > BigInt(value.length)) return fail(run, 'slice out of range')
    const length = Number(end - start)
    return spend(run, isList(value) ? 1 + length : 1) ? value.slice(Number(start), Number(end)) : undefined
  }

const countOf =
  (of: Evaluator): Evaluator =>
  (run) => {
    const value = of(run)
    if (value === undefined || !spend(run, 1)) return undefined
    return isList(value) ? BigInt(value.length) : fail(run, 'expected a list')
  }

const membership =
  (of: Evaluator, list: Evaluator): Evaluator =>
  (run) => {
    const item = of(run)
    const items = list(run)
    if (item === undefined || items === undefined || !spend(run, 1)) return undefined
    if (!isList(items)) return fail(run, 'expected a list')
    let isMember = false
    for (const raw of items) {
      const other = read(run, raw, 'item')
      const isSame = other === undefined ? undefined : equal(run, item, other)
      if (isSame === undefined) return undefined
      isMember ||= isSame
    }
    return isMember
  }

const each =
  (quantifier: Quantifier, of: Evaluator, slot: number, predicate: Evaluator): Evaluator =>
  (run) => {
    const items = of(run)
    if (items === undefined || !spend(run, 1)) return undefined
    if (!isList(items)) return fail(run, 'expected a list')
    const chosen: unknown[] = []
    let length = 0
    for (const raw of items) {
      const item = read(run, raw, 'item')
      if (item === undefined || !spend(run, 1)) return undefined
      run.variables[slot] = item
      const holds = predicate(run)
      if (holds === undefined) return undefined
      if (holds !== true) continue
      length += 1
      if (quantifier === 'filter') chosen.push(item)
    }
    if (quantifier === 'filter') return chosen
    return quantifier === 'any' ? length > 0 : length === items.length
  }

const negation =
  (of: Evaluator): Evaluator =>
  (run) => {
    const value = of(run)
    return value === undefined || !spend(run, 1) ? undefined : value !== true
  }

const comparison = (operator: Comparison, left: Evaluator, right: Evaluator): Evaluator => {
  switch (operator) {
    case '==':
      return equality(left, right, true)
    case '!=':
      return equality(left, right, false)
    case 'in':
      return membership(left, right)
    case '<':
      return order(left, right, (a, b) => a < b)
    case '>':
      return order(left, right, (a, b) => a > b)
    case '<=':
      return order(left, right, (a, b) => a <= b)
    case '>=':
      return order(left, right, (a, b) => a >= b)
    default:
      return operator satisfies never
  }
}

const equality =
  (left: Evaluator, right: Evaluator, wanted: boolean): Evaluator =>
  (run) => {
    const a = left(run)
    const b = right(run)
    if (a === undefined || b === undefined) return undefined
    const isSame = equal(run, a, b)
    return isSame === undefined ? undefined : isSame === wanted
  }

const order =
  (left: Evaluator, right: Evaluator, holds: (a: bigint | number, b: bigint | number) => boolean): Evaluator =>
  (run) => {
    const a = left(run)
    const b = right(run)
    if (a === undefined || b === undefined || !spend(run, 1)) return undefined
    if (typeof a === 'bigint' && typeof b === 'bigint') return holds(a, b)
    if (a instanceof Instant && b instanceof Instant) return holds(compareInstants(a, b), 0)
    return fail(run, 'expected two numbers, or two timestamps, to compare')
  }

const logic =
  (clauses: readonly Evaluator[], isConjunction: boolean): Evaluator =>
  (run) => {
    let result = isConjunction
    for (const clause of clauses) {
      const value = clause(run)
      if (value === undefined || !spend(run, 1)) return undefined
      result = isConjunction ? result && value === true : result || value === true
    }
    return result
  }
