import * as t from 'io-ts'

/** A codec that reads an absent value, and `null`, as a default. */
export class DefaultedType<A> extends t.Type<A, unknown, unknown> {
  readonly _tag = 'DefaultedType'
  readonly base: t.Mixed

  constructor(base: t.Type<A, unknown, unknown>, fallback: A) {
    super(
      base.name,
      base.is,
      (u, context) => (u === undefined || u === null ? t.success(fallback) : base.validate(u, context)),
      base.encode,
    )
    this.base = base
  }
}

/**
 * A member that the wire requires and that callers leave out all the same. It is read as the default then, so that the echo of the request
 * has it, as the wire wants. List it among the required members of `fields`.
 */
export const defaulted = <A>(base: t.Type<A, unknown, unknown>, fallback: A): t.Type<A, unknown, unknown> =>
  new DefaultedType(base, fallback)
