import * as t from 'io-ts'

/** The name and the description of a codec in documents. */
type Notes = { readonly name?: string; readonly description?: string }

/** A codec with notes for documents. It reads and writes like its base. */
export class DescribedType<A> extends t.Type<A, unknown, unknown> {
  readonly _tag = 'DescribedType'
  readonly base: t.Mixed
  readonly notes: Notes

  constructor(base: t.Type<A, unknown, unknown>, notes: Notes) {
    super(base.name, base.is, base.validate, base.encode)
    this.base = base
    this.notes = notes
  }
}

/** The codec with a description for documents: a phrase that begins in lower case and has no full stop. */
export const described = <A>(codec: t.Type<A, unknown, unknown>, description: string): t.Type<A, unknown, unknown> =>
  new DescribedType(codec, { description })

/**
 * The codec with a name for documents: they describe it once, and refer to it by name.
 *
 * @throws if the name has other characters than letters, digits, `.`, `-` and `_` (a bug, found at the start)
 */
export const named = <A>(name: string, codec: t.Type<A, unknown, unknown>): t.Type<A, unknown, unknown> => {
  if (!/^[A-Za-z0-9._-]+$/.test(name)) throw new Error(`the name of a codec must be one word: ${name}`)
  return new DescribedType(codec, { name })
}
