import type * as t from 'io-ts'
import { decode } from '../codec/codec.ts'
import { failure, type Failure, type Json } from '../failure.ts'
import type { Given } from '../organization/state.ts'
import { E } from '../prelude.ts'

/**
 * The JSON of a value, if its codec can read it back: a value that replay cannot read must not enter a log, because it would close the
 * organization for ever.
 */
export const written = <A>(
  what: string,
  codec: t.Type<A, unknown, unknown> | undefined,
  value: Given<A>,
): E.Either<Failure, Json> => {
  const encoded = codec?.encode(value as A) // a codec only reads what it writes
  return codec !== undefined && encoded !== undefined && E.isRight(codec.decode(encoded))
    ? E.right(encoded as Json) // codecs of the log give JSON
    : E.left(failure('INTERNAL', `the ${what} cannot be read back by its own codec`))
}

/** The value of the work of an operation, out of the log. */
export const performedOf = <P>(
  spec: { readonly type: string; readonly perform?: { readonly performed: t.Type<P, unknown, unknown> } },
  performed: Json | undefined,
): E.Either<Failure, P> =>
  spec.perform === undefined
    ? E.right(undefined as P) // P is undefined without `perform`
    : decode(spec.perform.performed, `outcome of ${spec.type}`)(performed)
