import * as t from 'io-ts'
import { Uuid } from '../codec.ts'

/**
 * An object of the wire or of the log. Fields that it does not know are dropped; an optional one that is absent or `null`
 * is not kept, so that encoding gives JSON without holes.
 *
 * @param rule  what concerns several members at once; its breach is reported at the member that it names
 */
export const fields = <R extends t.Props, O extends t.Props = Record<never, never>>(
  required: R,
  optional?: O,
  rule?: Rule<t.TypeOfProps<R> & t.TypeOfPartialProps<O>>,
): FieldsType<t.TypeOfProps<R> & t.TypeOfPartialProps<O>> =>
  new FieldsType(required, optional ?? {}, rule ?? (() => undefined))

export type Rule<A> = (value: A) => { readonly member: string; readonly expected: string } | undefined

/** How many breaches are reported: nobody reads more, and a caller could ask for a million. */
const BREACHES_MAX = 10

/** What `fields` makes: its members are kept for the reference. */
export class FieldsType<A> extends t.Type<A, unknown, unknown> {
  readonly _tag = 'FieldsType'
  readonly required: t.Props
  readonly optional: t.Props

  constructor(required: t.Props, optional: t.Props, rule: Rule<A>) {
    const members = [...Object.entries(required), ...Object.entries(optional)].map(([key, codec]) => ({ key, codec }))
    const isLeftOut = (key: string, value: unknown) =>
      (value === undefined || value === null) && Object.hasOwn(optional, key)
    super(
      'an object',
      (u): u is A => isObject(u) && members.every(({ key, codec }) => isLeftOut(key, u[key]) || codec.is(u[key])),
      (u, context) => {
        if (!isObject(u)) return t.failure(u, context, 'expected an object')
        const kept: { [key: string]: unknown } = {}
        const breaches: t.ValidationError[] = []
        for (const { key, codec } of members) {
          const actual = Object.hasOwn(u, key) ? u[key] : undefined
          if (isLeftOut(key, actual)) continue
          const decoded = codec.validate(actual, context)
          if (decoded._tag === 'Right') kept[key] = decoded.right
          else if (collects(breaches, context, { key, type: codec, actual }, decoded.left)) break
        }
        if (breaches.length > 0) return t.failures(breaches)
        const breach = rule(kept as A) // every member has passed its codec
        if (breach === undefined) return t.success(kept as A)
        const place = t.appendContext(context, breach.member, t.unknown, kept[breach.member])
        return t.failure(kept[breach.member], place, `expected ${breach.expected}`)
      },
      (a) => {
        const encoded: { [key: string]: unknown } = {}
        for (const { key, codec } of members) {
          const value = (a as { readonly [key: string]: unknown })[key] // an A is an object with these members
          if (value !== undefined) encoded[key] = codec.encode(value)
        }
        return encoded
      },
    )
    this.required = required
    this.optional = optional
  }
}

/**
 * Adds the breaches of a member or an entry. Its codec was given the context of the whole, because most values are right
 * and a context for each would cost more than reading them: the entry for the member is put in here.
 *
 * @returns whether there are enough of them
 */
const collects = (
  breaches: t.ValidationError[],
  context: t.Context,
  entry: t.ContextEntry,
  inside: t.Errors,
): boolean => {
  for (const breach of inside) {
    breaches.push({ ...breach, context: breach.context.toSpliced(context.length, 0, entry) })
    if (breaches.length >= BREACHES_MAX) return true
  }
  return false
}

/** What lists may be asked for, in the words of JSON Schema. */
export type ListRules = { readonly minItems?: 1; readonly uniqueItems?: true }

/** A list by rules, which are kept for the reference. */
export class ListType<C extends t.Mixed> extends t.ArrayType<C, t.TypeOf<C>[], t.OutputOf<C>[], unknown> {
  readonly rules: ListRules

  constructor(item: C, expected: string, rules: ListRules) {
    super(
      expected,
      (u): u is t.TypeOf<C>[] => Array.isArray(u) && u.every(item.is) && breachOf(rules, u) === undefined,
      (u, context) => {
        if (!Array.isArray(u)) return t.failure(u, context, `expected ${expected}`)
        const kept: t.TypeOf<C>[] = []
        const breaches: t.ValidationError[] = []
        for (const [index, actual] of u.entries()) {
          const decoded: t.Validation<t.TypeOf<C>> = item.validate(actual, context)
          if (decoded._tag === 'Right') kept.push(decoded.right)
          else if (collects(breaches, context, { key: String(index), type: item, actual }, decoded.left)) break
        }
        if (breaches.length > 0) return t.failures(breaches)
        const breach = breachOf(rules, kept)
        return breach === undefined ? t.success(kept) : t.failure(u, context, `expected ${breach}`)
      },
      t.array(item).encode,
      item,
    )
    this.rules = rules
  }
}

const breachOf = ({ minItems, uniqueItems }: ListRules, list: readonly unknown[]): string | undefined => {
  if (uniqueItems === true && new Set(list).size < list.length) return 'a list without repetition'
  return minItems !== undefined && list.length < minItems ? 'a list with at least one entry' : undefined
}

/**
 * A list of the wire. Unlike `t.array` it stops at the tenth wrong entry: a caller may send half a million of them.
 *
 * @param expected  completes the sentence "expected …"
 */
export const list = <C extends t.Mixed>(item: C, expected = 'a list'): ListType<C> => new ListType(item, expected, {})

/** A list that the wire calls required: it may not be empty. */
export const some = <C extends t.Mixed>(item: C): ListType<C> =>
  new ListType(item, 'a list with at least one entry', { minItems: 1 })

/** Ids of resources, none of them twice. */
export const Ids: t.ArrayC<typeof Uuid> = new ListType(Uuid, 'a list without repetition', { uniqueItems: true })

/** At least one id, none of them twice. */
export const SomeIds: t.ArrayC<typeof Uuid> = new ListType(Uuid, 'a list with at least one entry', {
  minItems: 1,
  uniqueItems: true,
})

const isObject = (u: unknown): u is { readonly [key: string]: unknown } =>
  typeof u === 'object' && u !== null && !Array.isArray(u)
