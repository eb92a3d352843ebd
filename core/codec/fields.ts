import * as t from 'io-ts'
import { isObject, Uuid } from './codec.ts'

/**
 * An object of the wire or of the log. Reading drops unknown members, and optional members that are absent or `null`. Writing leaves
 * out optional members that are absent or `undefined`, so callers need not remove them.
 *
 * @param rule  a rule for several members together; its violation is reported at the member that it names
 */
export const fields = <R extends t.Props, O extends t.Props = Record<never, never>>(
  required: R,
  optional?: O,
  rule?: Rule<MembersOf<R, O>>,
): FieldsType<MembersOf<R, O>> => new FieldsType(required, optional ?? {}, rule ?? (() => undefined))

/** The members as one plain object type, so that errors of the compiler show the members, and not how the type was made. */
export type MembersOf<R extends t.Props, O extends t.Props> = { [K in keyof R]: t.TypeOf<R[K]> } & {
  [K in keyof O]?: t.TypeOf<O[K]> | undefined
} extends infer Members
  ? { [K in keyof Members]: Members[K] }
  : never

/** @param given  the members as they came, also those that reading drops */
export type Rule<A> = (
  value: A,
  given: { readonly [member: string]: unknown },
) => { readonly member: string; readonly expected: string } | undefined

/** How many violations are reported: nobody reads more, and a caller could cause a million. */
const BREACHES_MAX = 10

/** The codec that `fields` makes. It keeps its members for the reference. */
export class FieldsType<A> extends t.Type<A, unknown, unknown> {
  readonly _tag = 'FieldsType'
  readonly required: t.Props
  readonly optional: t.Props

  constructor(required: t.Props, optional: t.Props, rule: Rule<A>) {
    const members = [...membersOf(required, false), ...membersOf(optional, true)]
    super(
      'an object',
      (u): u is A => {
        if (!isObject(u)) return false
        for (const member of members) {
          const value = u[member.key]
          if (!member.codec.is(value) && !isLeftOut(member, value)) return false
        }
        return true
      },
      (u, context) => {
        if (!isObject(u)) return t.failure(u, context, 'expected an object')
        const kept: { [key: string]: unknown } = {}
        const breaches: t.ValidationError[] = []
        for (const member of members) {
          const { key, codec } = member
          const actual = Object.hasOwn(u, key) ? u[key] : undefined
          if (isLeftOut(member, actual)) continue
          const decoded = codec.validate(actual, context)
          if (decoded._tag === 'Right') kept[key] = decoded.right
          else if (collects(breaches, context, { key, type: codec, actual }, decoded.left)) break
        }
        if (breaches.length > 0) return t.failures(breaches)
        const breach = rule(kept as A, u) // every member has passed its codec
        if (breach === undefined) return t.success(kept as A)
        const place = t.appendContext(context, breach.member, t.unknown, kept[breach.member])
        return t.failure(kept[breach.member], place, `expected ${breach.expected}`)
      },
      (a) => {
        const encoded: { [key: string]: unknown } = {}
        for (const member of members) {
          const value = (a as { readonly [key: string]: unknown })[member.key] // an A is an object with these members
          if (value === undefined || isLeftOut(member, value)) continue
          encoded[member.key] = member.isSame ? value : member.codec.encode(value)
        }
        return encoded
      },
    )
    this.required = required
    this.optional = optional
  }
}

type Member = {
  readonly key: string
  readonly codec: t.Mixed
  readonly isOptional: boolean
  /** Whether the value is written as it is. */
  readonly isSame: boolean
}

const membersOf = (props: t.Props, isOptional: boolean): readonly Member[] =>
  Object.entries(props).map(([key, codec]) => ({ key, codec, isOptional, isSame: codec.encode === t.identity }))

const isLeftOut = ({ isOptional }: Member, value: unknown): boolean =>
  isOptional && (value === undefined || value === null)

/**
 * Adds the violations of a member or an entry, with their path. The codec got the context of the whole object, because making a context
 * for each member costs more than reading the member, and most values are right. So the entry for the member is added here.
 *
 * @returns whether the most violations to report are reached
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

/** Rules for lists, in the words of JSON Schema. */
export type ListRules = { readonly minItems?: 1; readonly uniqueItems?: true }

/** A list with rules. It keeps them for the reference. */
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

/** A list of ids of resources, none of them twice. */
export const Uuids: t.Type<string[], string[], unknown> = new ListType(Uuid, 'a list without repetition', {
  uniqueItems: true,
})

/** At least one id, none of them twice. */
export const SomeUuids: t.Type<string[], string[], unknown> = new ListType(Uuid, 'a list with at least one entry', {
  minItems: 1,
  uniqueItems: true,
})
