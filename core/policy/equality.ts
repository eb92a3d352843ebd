import { isObject } from '../codec/codec.ts'
import { compareInstants, Instant } from './instant.ts'
import { fail, isList, read, spend, type Run } from './run.ts'
import { EXPRESSION_DEPTH_MAX, isDecimal } from './syntax.ts'

/** Marks the structs that policies give: values of the facts are JSON, so none of them can have it. */
export const LITERAL = Symbol('struct literal')

/**
 * Whether two values are equal. Single values of one type are compared, a number with its decimal digits, and a struct with one that the
 * policy gives. Nothing else can be compared.
 */
export const equal = (run: Run, a: unknown, b: unknown): boolean | undefined =>
  typeof a === 'string' && typeof b === 'string' ? equalStrings(run, a, b) : equalOthers(run, a, b)

// A function of its own, so that the comparison of strings, which is most of all work, stays small.
const equalOthers = (run: Run, a: unknown, b: unknown): boolean | undefined => {
  if (!spend(run, 1)) return undefined
  if (typeof a === 'bigint' && typeof b === 'bigint') return a === b
  if (typeof a === 'boolean' && typeof b === 'boolean') return a === b
  if (typeof a === 'bigint' && typeof b === 'string') return equalDecimal(run, a, b)
  if (typeof a === 'string' && typeof b === 'bigint') return equalDecimal(run, b, a)
  if (a instanceof Instant && b instanceof Instant) return compareInstants(a, b) === 0
  return isStruct(a) && isStruct(b) && (LITERAL in a || LITERAL in b) ? equalStructs(run, a, b, 1) : fail(run, UNLIKE)
}

const UNLIKE = 'expected two values of one type to compare'

type Struct = { readonly [member: string]: unknown }

const isStruct = (value: unknown): value is Struct => isObject(value) && !(value instanceof Instant)

/** What finding a name in another struct costs. */
const STEPS_PER_NAME = 4

// All members are compared, also if the answer is known: one that is missing is an error wherever it stands.
const equalStructs = (run: Run, a: Struct, b: Struct, depth: number): boolean | undefined => {
  const names = membersOf(a)
  const others = membersOf(b)
  if (!spend(run, STEPS_PER_NAME * (names.length + others.length))) return undefined
  if (names.length !== others.length) return fail(run, UNLIKE)
  let isSame = true
  for (const name of names) {
    const one = read(run, a[name], name)
    const other = Object.hasOwn(b, name) ? read(run, b[name], name) : fail(run, UNLIKE)
    const areSame = one === undefined || other === undefined ? undefined : equalInside(run, one, other, depth + 1)
    if (areSame === undefined) return undefined
    isSame &&= areSame
  }
  return isSame
}

const membersOf = (struct: Struct): readonly string[] =>
  Object.keys(struct).filter((name) => struct[name] !== undefined && struct[name] !== null)

const equalInside = (run: Run, a: unknown, b: unknown, depth: number): boolean | undefined => {
  if (depth > EXPRESSION_DEPTH_MAX) return fail(run, 'expected structs of fewer levels')
  if (isList(a) && isList(b)) return equalLists(run, a, b, depth)
  return isStruct(a) && isStruct(b) ? equalStructs(run, a, b, depth) : equal(run, a, b)
}

const equalLists = (run: Run, a: readonly unknown[], b: readonly unknown[], depth: number): boolean | undefined => {
  if (!spend(run, 1 + a.length)) return undefined
  if (a.length !== b.length) return false
  let isSame = true
  for (let at = 0; at < a.length; at += 1) {
    const one = read(run, a[at], 'item')
    const other = read(run, b[at], 'item')
    const areSame = one === undefined || other === undefined ? undefined : equalInside(run, one, other, depth + 1)
    if (areSame === undefined) return undefined
    isSame &&= areSame
  }
  return isSame
}

// Hex strings are compared without regard to case, because an address can be written with or without the capitals of its checksum.
const equalStrings = (run: Run, a: string, b: string): boolean | undefined => {
  if (!spend(run, 1)) return undefined
  if (a.length !== b.length) return false
  if (!spend(run, a.length >> run.textShift)) return undefined
  return a === b || (a.startsWith('0x') && b.startsWith('0x') && isSameHex(a, b))
}

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
