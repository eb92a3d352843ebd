import * as t from 'io-ts'
import { fieldViolations, type Failure, type FieldViolation, type Json } from '../failure.ts'
import { E } from '../prelude.ts'

/**
 * Decodes outside input. The failure names the path and what was expected there, and never the value: input may hold
 * secrets.
 *
 * @param what  the name of the input in the message, e.g. `request body`
 */
export const decode =
  <A>(codec: t.Decoder<unknown, A>, what: string) =>
  (input: unknown): E.Either<Failure, A> => {
    const decoded = codec.decode(input)
    return decoded._tag === 'Right' ? decoded : E.left(invalid(what, decoded.left))
  }

const invalid = (what: string, errors: t.Errors): Failure => invalidAt(what, violationsOf(errors))

/** The failure of input that is wrong at these places; its message names the first. @param what  as for `decode` */
export const invalidAt = (what: string, violations: readonly FieldViolation[]): Failure => {
  const first = violations[0]
  const place = first === undefined || first.field === '' ? '' : ` at ${first.field}`
  return fieldViolations(`invalid ${what}${place}: ${first?.description ?? 'not understood'}`, violations)
}

/** The first ten errors, by their places. */
export const violationsOf = (errors: t.Errors): readonly FieldViolation[] => errors.slice(0, 10).map(violationOf)

// io-ts numbers the members of an intersection and of a union as if they were keys. These numbers are not part of the path.
const violationOf = (error: t.ValidationError): FieldViolation => {
  const field: string[] = []
  let transparent = false
  for (const entry of error.context) {
    if (!transparent && entry.key !== '') field.push(entry.key.slice(0, 64))
    const tag = (entry.type as { readonly _tag?: string })._tag // io-ts tags its own combinators
    transparent = tag === 'IntersectionType' || tag === 'UnionType'
  }
  const last = error.context[error.context.length - 1]
  const missing = last !== undefined && last.actual === undefined
  const expected = error.message ?? `expected ${last?.type.name.slice(0, 120) ?? 'another value'}`
  return { field: field.join('.'), description: missing ? `missing field; ${expected}` : expected }
}

/** A codec that accepts only some values of another codec, `base`, which is kept for the reference. */
export class RefinedType<A> extends t.Type<A, A, unknown> {
  readonly _tag = 'RefinedType'
  readonly base: t.Mixed

  constructor(
    base: t.Type<A, A, unknown>,
    expected: string,
    read: (value: A) => A | undefined,
    message: string | ((refused: A) => string) = `expected ${expected}`,
    /** Whether `read` gives a value, where that is found out faster. */
    test = (value: A): boolean => read(value) !== undefined,
  ) {
    super(
      expected,
      (u): u is A => base.is(u) && test(u),
      (u, c) => {
        const decoded = base.validate(u, c)
        if (decoded._tag === 'Left')
          return t.failure(u, c, typeof message === 'string' ? message : `expected ${expected}`)
        const value = read(decoded.right)
        if (value !== undefined) return t.success(value)
        return t.failure(u, c, typeof message === 'string' ? message : message(decoded.right))
      },
      base.encode,
    )
    this.base = base
  }
}

/** A codec for a value that `test` accepts; `expected` completes the sentence "expected …". */
export const refined = <A>(
  base: t.Type<A, A, unknown>,
  expected: string,
  test: (value: A) => boolean,
): t.Type<A, A, unknown> =>
  new RefinedType(base, expected, (value) => (test(value) ? value : undefined), undefined, test)

/**
 * A codec for a value with several spellings. `read` gives the canonical one; if it gives `undefined`, the value is refused.
 *
 * @param message  the message for a refused value. Default: "expected …". Only where values cannot be secrets, it may name the value
 */
export const canonical = <A>(
  base: t.Type<A, A, unknown>,
  expected: string,
  read: (value: A) => A | undefined,
  message?: string | ((refused: A) => string),
): t.Type<A, A, unknown> => new RefinedType(base, expected, read, message)

/** `t.strict` for our own files: a field that it does not know is refused, not dropped. */
export const closed = <P extends t.Props>(
  props: P,
): t.Type<{ [K in keyof P]: t.TypeOf<P[K]> }, { [K in keyof P]: t.OutputOf<P[K]> }, unknown> => {
  const strict = t.strict(props)
  return new t.Type(
    strict.name,
    strict.is,
    (u, c) => {
      const unknown =
        typeof u === 'object' && u !== null ? Object.keys(u).find((key) => !Object.hasOwn(props, key)) : undefined
      return unknown === undefined
        ? strict.validate(u, c)
        : t.failure(u, c, 'expected no field but those of the format')
    },
    (a) => strict.encode(a),
  )
}

/** An optional field of the wire: absent and `null` are the same, and neither is kept. */
export const optional = <A>(codec: t.Type<A, unknown>): t.Type<A | undefined, unknown, unknown> =>
  new t.Type<A | undefined, unknown, unknown>(
    codec.name,
    (u): u is A | undefined => u === undefined || codec.is(u),
    (u, c) => (u === undefined || u === null ? t.success(undefined) : codec.validate(u, c)),
    (a) => (a === undefined ? undefined : codec.encode(a)),
  )

/** Whether it is an object with members, as JSON has them: no list, and not null. */
export const isObject = (u: unknown): u is { readonly [member: string]: unknown } =>
  typeof u === 'object' && u !== null && !Array.isArray(u)

/** Whether JSON is an object. */
export const isJsonObject = (value: Json): value is { readonly [member: string]: Json } => isObject(value)

/** Any JSON. The check is shallow: it looks only at the value itself. */
export const AnyJson: t.Type<Json, Json, unknown> = new t.Type<Json, Json, unknown>(
  'any JSON',
  (u): u is Json => JSON_TYPES.has(typeof u),
  (u, c) => (JSON_TYPES.has(typeof u) ? t.success(u as Json) : t.failure(u, c, 'expected JSON')), // by its type
  t.identity,
)
const JSON_TYPES: ReadonlySet<string> = new Set(['object', 'string', 'number', 'boolean'])

/** An object with members of any names. */
export const JsonObject: t.Type<{ [member: string]: Json }, { [member: string]: Json }, unknown> = t.record(
  t.string,
  AnyJson,
)
export type JsonObject = { readonly [member: string]: Json }

/** A whole number that is exact. */
export const Integer = refined(t.number, 'an integer', Number.isSafeInteger)

/** Whether the text is a UUID in its 8-4-4-4-12 form. */
export const isUuid = (text: string): boolean => UUID.test(text)
// Digit by digit, since V8 counts what stands in braces: that would take half as long again.
const hexDigits = (count: number): string => '[0-9A-Fa-f]'.repeat(count)
const UUID = new RegExp(`^${[8, 4, 4, 4, 12].map(hexDigits).join('-')}$`)

/** A UUID in its 8-4-4-4-12 form, any version, lower case after decoding. */
export const Uuid = new RefinedType(
  t.string,
  'a UUID',
  (text) => (isUuid(text) ? text.toLowerCase() : undefined),
  undefined,
  isUuid,
)

/** A name or label: 1 to 256 printable code points, no control characters, no lone surrogates. */
export const Label = refined(
  t.string,
  'a label of 1 to 256 printable characters',
  (s) => isShort(s) && s.isWellFormed() && !UNPRINTABLE.test(s) && s.trim() !== '',
)

/** A label in a request that may leave it out: the empty text counts as left out, because encoders of the wire write it for that. */
export const LabelOrEmpty = refined(
  t.string,
  'a label of 1 to 256 printable characters, or the empty text for none',
  (s) => s === '' || Label.is(s),
)

const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}]/u

// A code point takes one or two of the units that `length` counts.
const isShort = (s: string): boolean => s.length <= 256 || (s.length <= 512 && Array.from(s).length <= 256)
