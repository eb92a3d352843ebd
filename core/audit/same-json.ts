/**
 * Whether two values are written as the same JSON. Both come of one codec, so members stand in one order; of two orders
 * it says that they differ.
 */
export const isSame = (a: unknown, b: unknown): boolean => isAlike(a, b) || JSON.stringify(a) === JSON.stringify(b)

/** Finds that out without writing them, where they are plain and alike: nearly always. No says nothing. */
const isAlike = (a: unknown, b: unknown): boolean => {
  if (a === b) return typeof a !== 'function' && typeof a !== 'symbol' && typeof a !== 'bigint'
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) return Array.isArray(b) && areAlike(a, b)
  if (!isPlain(a) || !isPlain(b)) return false
  const names = Object.keys(a)
  const others = Object.keys(b)
  if (names.length !== others.length) return false
  for (let i = 0; i < names.length; i++) {
    const name = names[i] ?? ''
    if (name !== others[i] || !isAlike((a as Members)[name], (b as Members)[name])) return false // both have the member
  }
  return true
}

const areAlike = (a: readonly unknown[], b: readonly unknown[]): boolean => {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (!isAlike(a[i], b[i])) return false
  return true
}

type Members = { readonly [name: string]: unknown }

/** Whether its JSON is made of its members alone. */
const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return (prototype === Object.prototype || prototype === null) && !('toJSON' in value)
}
