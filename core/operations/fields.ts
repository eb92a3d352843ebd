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
        const errors: t.ValidationError[] = []
        for (const { key, codec } of members) {
          const value = Object.hasOwn(u, key) ? u[key] : undefined
          if (isLeftOut(key, value)) continue
          const decoded = codec.validate(value, context)
          // Where it stands is asked for only by what fails, and made only then.
          if (decoded._tag === 'Left')
            for (const error of errorsAt(codec, value, t.appendContext(context, key, codec, value))) errors.push(error)
          else kept[key] = decoded.right
        }
        if (errors.length > 0) return t.failures(errors)
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

const errorsAt = (codec: t.Mixed, value: unknown, context: t.Context): t.Errors => {
  const decoded: t.Validation<unknown> = codec.validate(value, context)
  return decoded._tag === 'Left' ? decoded.left : []
}

/** A list that the wire calls required: it may not be empty. */
export const some = <C extends t.Mixed>(item: C): t.ArrayC<C> =>
  new ListType(t.array(item), 'a list with at least one entry', SOME)

/** What lists may be asked for, in the words of JSON Schema. */
export type ListRules = { readonly minItems?: 1; readonly uniqueItems?: true }

/** A list by rules, which are kept for the reference. */
export class ListType<C extends t.Mixed> extends t.ArrayType<C, t.TypeOf<C>[], t.OutputOf<C>[], unknown> {
  readonly rules: ListRules

  constructor(list: t.ArrayC<C>, expected: string, rules: ListRules) {
    super(
      expected,
      (u): u is t.TypeOf<C>[] => list.is(u) && keeps(rules, u),
      (u, context) => {
        const decoded = list.validate(u, context)
        return decoded._tag === 'Right' && !keeps(rules, decoded.right)
          ? t.failure(u, context, `expected ${expected}`)
          : decoded
      },
      list.encode,
      list.type,
    )
    this.rules = rules
  }
}

const keeps = ({ minItems, uniqueItems }: ListRules, list: readonly unknown[]): boolean =>
  (minItems === undefined || list.length >= minItems) &&
  (uniqueItems === undefined || new Set(list).size === list.length)

const SOME: ListRules = { minItems: 1 }
const DISTINCT: ListRules = { uniqueItems: true }

/** Ids of resources, none of them twice. */
export const Ids: t.ArrayC<typeof Uuid> = new ListType(
  t.array(Uuid, 'a list of UUIDs'),
  'a list without repetition',
  DISTINCT,
)

/** At least one id, none of them twice. */
export const SomeIds: t.ArrayC<typeof Uuid> = new ListType(Ids, 'a list with at least one entry', {
  ...SOME,
  ...DISTINCT,
})

const isObject = (u: unknown): u is { readonly [key: string]: unknown } =>
  typeof u === 'object' && u !== null && !Array.isArray(u)
