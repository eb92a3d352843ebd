import { isObject } from '../codec/codec.ts'
import { isDecimal, type Comparison, type Node, type Quantifier } from './syntax.ts'

/** One evaluation: its facts, the values of its variables, the steps that it has used, and the reason if it failed. */
export type Run = {
  readonly facts: Readonly<Record<string, unknown>>
  readonly variables: unknown[]
  readonly stepsMax: number
  /** Characters of a text that are compared in one step, as a power of two. */
  readonly textShift: number
  steps: number
  /** The work of comparing texts that `steps` does not count. */
  uncounted: number
  reason: string | undefined
  /** Whether it failed because its steps were used up. */
  isExhausted: boolean
}

/**
 * A node as a function. Values are strings, bigints, booleans, lists and structs; undefined means that the run has
 * failed and its reason is set.
 *
 * Every clause and every element is evaluated, and one failure fails the whole expression. So a run stops at its first failure, but not
 * when its result is known.
 */
export type Evaluator = (run: Run) => unknown

/** The most steps of one evaluation: it counts nodes, elements, and long strings by their length. */
export const STEPS_MAX = 100_000

/** A checked expression as a function. `scope` names the variables around it, outermost first. */
export const evaluatorOf = (node: Node, scope: readonly string[] = []): Evaluator => {
  switch (node._tag) {
    case 'literal': {
      const { value } = node
      return () => value
    }
    case 'list':
      return listOf(node.items.map((item) => evaluatorOf(item, scope)))
    case 'name': {
      const slot = scope.lastIndexOf(node.name)
      return slot === -1 ? fieldOf((run) => run.facts, node.name) : (run) => run.variables[slot]
    }
    case 'field':
      return fieldOf(evaluatorOf(node.of, scope), node.name)
    case 'index':
      return indexOf(evaluatorOf(node.of, scope), evaluatorOf(node.index, scope))
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
  (of: Evaluator, index: Evaluator): Evaluator =>
  (run) => {
    const value = of(run)
    const at = index(run)
    if (value === undefined || at === undefined || !spend(run, 1)) return undefined
    if (typeof at !== 'bigint') return fail(run, 'expected a number as index')
    if (!isList(value) && typeof value !== 'string') return fail(run, 'expected a list or a string')
    if (at < 0n || at >= BigInt(value.length)) return fail(run, 'index out of range')
    return read(run, value[Number(at)], 'item')
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
  (left: Evaluator, right: Evaluator, holds: (a: bigint, b: bigint) => boolean): Evaluator =>
  (run) => {
    const a = left(run)
    const b = right(run)
    if (a === undefined || b === undefined || !spend(run, 1)) return undefined
    return typeof a === 'bigint' && typeof b === 'bigint' ? holds(a, b) : fail(run, 'expected numbers to compare')
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

const equal = (run: Run, a: unknown, b: unknown): boolean | undefined => {
  if (typeof a === 'string' && typeof b === 'string') return equalStrings(run, a, b)
  if (!spend(run, 1)) return undefined
  if (typeof a === 'bigint' && typeof b === 'bigint') return a === b
  if (typeof a === 'boolean' && typeof b === 'boolean') return a === b
  if (typeof a === 'bigint' && typeof b === 'string') return equalDecimal(run, a, b)
  if (typeof a === 'string' && typeof b === 'bigint') return equalDecimal(run, b, a)
  return fail(run, 'expected two values of one type to compare')
}

// Hex strings are compared without regard to case, because an address can be written with or without the capitals of its checksum.
const equalStrings = (run: Run, a: string, b: string): boolean | undefined => {
  if (!spend(run, 1)) return undefined
  if (a.length !== b.length) return false
  const cost = a.length >> run.textShift
  run.uncounted += (a.length >> TEXT_SHIFT) - cost
  if (!spend(run, cost)) return undefined
  return a === b || (a.startsWith('0x') && b.startsWith('0x') && isSameHex(a, b))
}

/** How many characters are compared in about the time of one step, as a power of two. */
const TEXT_SHIFT = 4

const isSameHex = (a: string, b: string): boolean => {
  for (let at = 2; at < a.length; at += 1) {
    const digit = hexDigitOf(a.charCodeAt(at))
    if (digit === NO_DIGIT || digit !== hexDigitOf(b.charCodeAt(at))) return false
  }
  return true
}

const NO_DIGIT = 0

/** The character of a hexadecimal digit, in lower case. */
const hexDigitOf = (code: number): number => {
  if (code >= 0x30 && code <= 0x39) return code
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower : NO_DIGIT
}

const equalDecimal = (run: Run, value: bigint, text: string): boolean | undefined =>
  isDecimal(text) ? BigInt(text) === value : fail(run, 'expected a number in decimal digits to compare')

// Values from JSON have JSON's numbers: a number that is not whole or not exact is an error here.
const read = (run: Run, value: unknown, name: string): unknown => {
  if (value === undefined || value === null) return fail(run, `missing field: ${name.slice(0, 64)}`)
  if (typeof value !== 'number') return value
  return Number.isSafeInteger(value) ? BigInt(value) : fail(run, 'expected a whole number')
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

const spend = (run: Run, steps: number): boolean => {
  run.steps += steps
  if (run.steps <= run.stepsMax) return true
  run.isExhausted ||= run.reason === undefined
  fail(run, `expected an evaluation of at most ${STEPS_MAX} steps`)
  return false
}

const fail = (run: Run, reason: string): undefined => {
  run.reason ??= reason
  return undefined
}
