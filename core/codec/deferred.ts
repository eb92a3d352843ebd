import * as t from 'io-ts'
import type { Failure, FieldViolation } from '../failure.ts'
import { E } from '../prelude.ts'
import { invalidAt, violationsOf } from './codec.ts'
import { list } from './fields.ts'

/** An entry that has not the form of its codec, and that nobody has asked for yet. */
export class Unread {
  readonly given: unknown
  readonly errors: t.Errors

  constructor(given: unknown, errors: t.Errors) {
    this.given = given
    this.errors = errors
  }
}

/** A list that was read, and is not refused yet: whether all entries have their form is told when somebody asks. */
export type Deferred<A> = readonly (A | Unread)[]

/** The codec that `deferred` makes. It keeps the list that is expected, for the reference. */
export class DeferredType<A> extends t.Type<Deferred<A>, unknown, unknown> {
  readonly _tag = 'DeferredType'
  readonly base: t.Mixed

  constructor(item: t.Type<A, unknown, unknown>) {
    super(
      'a list',
      (u): u is Deferred<A> => Array.isArray(u),
      (u, context) => {
        if (!Array.isArray(u)) return t.failure(u, context, 'expected a list')
        let wrong = 0
        const entries = u.map((given: unknown): A | Unread => {
          if (wrong === WRONG_MAX) return new Unread(given, [])
          const read = item.validate(given, context)
          if (read._tag === 'Right') return read.right
          wrong += 1
          return new Unread(given, read.left)
        })
        return t.success(entries)
      },
      (entries) => entries.map((entry) => (entry instanceof Unread ? entry.given : item.encode(entry))),
    )
    this.base = list(item)
  }
}

/** No more are told, and a caller may send a hundred thousand. */
const WRONG_MAX = 10

/**
 * A list whose entries were not read before: requests that hold anything there are in logs, and must stay readable. An operation asks for
 * them with `settled`, in a revision of its own.
 */
export const deferred = <A>(item: t.Type<A, unknown, unknown>): DeferredType<A> => new DeferredType(item)

export const mapDeferred =
  <A, B>(change: (entry: A) => B) =>
  (entries: Deferred<A>): Deferred<B> =>
    entries.map((entry) => (entry instanceof Unread ? entry : change(entry)))

/** The entries, or the failure that names what is wrong in them. @param field  the member of the request that has the list */
export const settled =
  (field: string) =>
  <A>(entries: Deferred<A>): E.Either<Failure, readonly A[]> => {
    const read: A[] = []
    const violations: FieldViolation[] = []
    for (const [index, entry] of entries.entries()) {
      if (entry instanceof Unread) violations.push(...violationsOf(entry.errors).map(inside(`${field}.${index}`)))
      else read.push(entry)
    }
    return violations.length === 0 ? E.right(read) : E.left(invalidAt('parameters', violations.slice(0, WRONG_MAX)))
  }

const inside =
  (place: string) =>
  ({ field, description }: FieldViolation): FieldViolation => ({
    field: field === '' ? place : `${place}.${field}`,
    description,
  })
