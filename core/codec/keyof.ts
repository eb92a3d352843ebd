import * as t from 'io-ts'

/** A text that is one of the keys. Its failure names them: `expected EFFECT_ALLOW or EFFECT_DENY`. */
export const keyof = <D extends { readonly [key: string]: unknown }>(keys: D): t.KeyofC<D> => {
  const expected = oneOf(Object.keys(keys))
  const is = (u: unknown): u is keyof D => typeof u === 'string' && Object.hasOwn(keys, u)
  const validate: t.Validate<unknown, keyof D> = (u, c) =>
    is(u) ? t.success<keyof D>(u) : t.failure(u, c, `expected ${expected}`)
  return new t.KeyofType(expected, is, validate, t.identity, keys)
}

/** Names as a choice; of a long list, the first ones. */
const oneOf = (names: readonly string[]): string => {
  const others = names.length - NAMES_MAX
  if (others > 1) return `${names.slice(0, NAMES_MAX).join(', ')} or one of ${others} others`
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}

const NAMES_MAX = 12
