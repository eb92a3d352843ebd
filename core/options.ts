import { failure, type Failure } from './failure.ts'
import { nearestOf } from './nearest.ts'
import { E } from './prelude.ts'

/** What an option may be: a whole number from this one on, or a value of this kind. */
export type OptionKind = number | 'boolean' | 'string' | 'function' | 'object' | 'list'

export type OptionKinds = { readonly [name: string]: OptionKind }

/**
 * Refuses options that are missing, wrong or misspelled, by their names. An option that is `undefined` is not given.
 *
 * @param needed  the names of those that must be there
 */
export const checkOptions = (
  options: object,
  kinds: OptionKinds,
  needed: readonly string[] = [],
): E.Either<Failure, void> => {
  const given = new Map<string, unknown>(Object.entries(options).filter(([, value]) => value !== undefined))
  for (const name of needed) if (!given.has(name)) return refused(`${name}: this option is required`)
  for (const [name, value] of given) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
    if (kind === undefined) return refused(`${name}: there is no such option${hintFor(name, Object.keys(kinds))}`)
    if (!fits(kind, value)) return refused(`${name}: expected ${words(kind)}`)
  }
  return E.right(undefined)
}

const refused = (message: string): E.Either<Failure, never> => E.left(failure('CONFIGURATION_INVALID', message))

const fits = (kind: OptionKind, value: unknown): boolean => {
  if (typeof kind === 'number') return Number.isSafeInteger(value) && Number(value) >= kind
  if (kind === 'list') return Array.isArray(value)
  // An object may be a function with members, such as a mocked service.
  return kind === 'object'
    ? value !== null && (typeof value === 'object' || typeof value === 'function')
    : typeof value === kind
}

const words = (kind: OptionKind): string => {
  if (typeof kind === 'number') return `a whole number from ${kind} on`
  return kind === 'boolean' ? 'true or false' : `${kind === 'object' ? 'an' : 'a'} ${kind}`
}

/** The name that was probably meant; empty if no name is near. */
export const hintFor = (wrong: string, names: Iterable<string>): string => {
  const nearest = nearestOf(wrong, names)
  return nearest === undefined ? '' : `; did you mean ${nearest}?`
}
