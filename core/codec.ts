import * as t from 'io-ts'
import { failure, type Failure, type FieldViolation } from './failure.ts'
import { E } from './prelude.ts'

/**
 * Decodes outside input. The failure names the path and what was expected there, and never the value: input may hold
 * secrets.
 *
 * @param what  how the message calls the input, e.g. `request body`
 */
export const decode =
  <A>(codec: t.Type<A, unknown>, what: string) =>
  (input: unknown): E.Either<Failure, A> => {
    const decoded = codec.decode(input)
    return decoded._tag === 'Right' ? decoded : E.left(invalid(what, decoded.left))
  }

const invalid = (what: string, errors: t.Errors): Failure => {
  const violations = errors.slice(0, 10).map(violationOf)
  const first = violations[0]
  const place = first === undefined || first.field === '' ? '' : ` at ${first.field}`
  return failure('REQUEST_INVALID', `invalid ${what}${place}: ${first?.description ?? 'not understood'}`, [
    { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: violations.map((v) => ({ ...v })) },
  ])
}

// io-ts numbers the members of an intersection and of a union as if they were keys: they are not part of the path.
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

/** A codec that lets through less than another one. That one is kept for the reference. */
export class RefinedType<A> extends t.Type<A, A, unknown> {
  readonly _tag = 'RefinedType'
  readonly base: t.Mixed

  constructor(base: t.Type<A, A, unknown>, expected: string, read: (value: A) => A | undefined, message: string) {
    super(
      expected,
      (u): u is A => base.is(u) && read(u) !== undefined,
      (u, c) => {
        const decoded = base.validate(u, c)
        const value = decoded._tag === 'Right' ? read(decoded.right) : undefined
        return value === undefined ? t.failure(u, c, message) : t.success(value)
      },
      (a) => a,
    )
    this.base = base
  }
}

/** A codec for a value that `test` accepts; `expected` completes the sentence "expected …". */
export const refined = <A>(
  base: t.Type<A, A, unknown>,
  expected: string,
  test: (value: A) => boolean,
): t.Type<A, A, unknown> => canonical(base, expected, (value) => (test(value) ? value : undefined))

/**
 * A codec for a value that has one spelling among several, which `read` gives; `undefined` refuses it.
 *
 * @param message  said of what is refused, where "expected …" would not be enough
 */
export const canonical = <A>(
  base: t.Type<A, A, unknown>,
  expected: string,
  read: (value: A) => A | undefined,
  message = `expected ${expected}`,
): t.Type<A, A, unknown> => new RefinedType(base, expected, read, message)

/** `t.strict` for our own files: a field that it does not know is refused, not dropped. */
export const closed = <P extends t.Props>(props: P): t.Type<t.TypeOfProps<P>, t.OutputOfProps<P>, unknown> => {
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

/** A UUID in its 8-4-4-4-12 form, any version, lower case after decoding. */
export const Uuid = canonical(t.string, 'a UUID', (text) => (isUuid(text) ? text.toLowerCase() : undefined))
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether the text is a UUID in its 8-4-4-4-12 form. */
export const isUuid = (text: string): boolean => UUID.test(text)

/** A name or label: 1 to 256 printable code points, no control characters, no lone surrogates. */
export const Label = refined(
  t.string,
  'a label of 1 to 256 printable characters',
  (s) => isShort(s) && s.isWellFormed() && !UNPRINTABLE.test(s) && s.trim() !== '',
)
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}]/u

// A code point takes one or two of the units that `length` counts.
const isShort = (s: string): boolean => s.length <= 256 || (s.length <= 512 && Array.from(s).length <= 256)
