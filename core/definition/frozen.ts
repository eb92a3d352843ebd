import { ownError } from '../telemetry/tell-thrown.ts'

/**
 * Copies a value deeply and freezes the copy, because work outside a turn must not see later changes of the state. Bytes, and the
 * content of maps, sets and dates, cannot be frozen.
 *
 * @throws TypeError for a value without a plain copy: a function, a promise, an instance of a class
 */
export const frozen = <A>(value: A): A => copied(value, 0) as A // a copy of an A has its members

const copied = (value: unknown, depth: number): unknown => {
  if (typeof value === 'function' || typeof value === 'symbol') throw notPlain(typeof value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > DEPTH_MAX) throw notPlain(`a nesting of more than ${DEPTH_MAX}`)
  const inner = (one: unknown): unknown => copied(one, depth + 1)
  if (Array.isArray(value)) return Object.freeze(value.map(inner))
  if (value instanceof Map) return Object.freeze(new Map([...value].map(([key, one]) => [inner(key), inner(one)])))
  if (value instanceof Set) return Object.freeze(new Set([...value].map(inner)))
  if (value instanceof Uint8Array) return Uint8Array.from(value)
  if (value instanceof Date) return Object.freeze(new Date(value.getTime()))
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) throw notPlain('an instance of a class')
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inner(one)])))
}

const DEPTH_MAX = 100

const notPlain = (what: string): TypeError => ownError(`check gave ${what}: expected plain values, which can be copied`)

/** Whether two values of `frozen` are equal. */
export const isSameValue = (a: unknown, b: unknown): boolean => {
  if (a === b || Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (kindOf(a) !== kindOf(b)) return false
  const [one, other] = [entriesOf(a), entriesOf(b)]
  return (
    one.length === other.length &&
    one.every(([key, value], index) => isSameValue(key, other[index]?.[0]) && isSameValue(value, other[index]?.[1]))
  )
}

const kindOf = (value: object): string => {
  if (Array.isArray(value)) return 'list'
  if (value instanceof Map) return 'map'
  if (value instanceof Set) return 'set'
  if (value instanceof Uint8Array) return 'bytes'
  return value instanceof Date ? 'date' : 'members'
}

/** Members of an object in the order of their names, because their order has no meaning. The order of a map has one. */
const entriesOf = (value: object): readonly (readonly [unknown, unknown])[] => {
  if (value instanceof Map || value instanceof Set) return [...value.entries()]
  if (value instanceof Uint8Array) return [...value.entries()]
  if (value instanceof Date) return [['time', value.getTime()]]
  return Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
}
