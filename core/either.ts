/*
 * The Either of fp-ts, with its three most used functions written again: those of fp-ts look at how they were called, which costs more
 * than their work. Ours take the function first, as all code here calls them.
 */
import { right, type Either } from 'fp-ts/lib/Either.js'

export {
  filterOrElse,
  fromNullable,
  isLeft,
  isRight,
  left,
  right,
  swap,
  tap,
  tryCatch,
  type Either,
} from 'fp-ts/lib/Either.js'

/** Applies the function to a right value. */
export const map =
  <A, B>(f: (a: A) => B) =>
  <E>(either: Either<E, A>): Either<E, B> =>
    either._tag === 'Left' ? either : right(f(either.right))

/** Applies a function that may fail to a right value. */
export const flatMap =
  <A, E2, B>(f: (a: A) => Either<E2, B>) =>
  <E1>(either: Either<E1, A>): Either<E1 | E2, B> =>
    either._tag === 'Left' ? either : f(either.right)

/** Applies the function to a left value. */
export const mapLeft =
  <E, G>(f: (e: E) => G) =>
  <A>(either: Either<E, A>): Either<G, A> =>
    either._tag === 'Left' ? { _tag: 'Left', left: f(either.left) } : either
