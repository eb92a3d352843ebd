import { Failure, ordered, type Json } from '../failure.ts'
import { parseJson } from '../json/parse-json.ts'
import { E } from '../prelude.ts'

/**
 * Checks that a function of a host returned an outcome, because hosts that are not compiled with our types can return anything. A
 * failure is copied as JSON with its own members alone: it may go into the log, and a failure that replay cannot read there would
 * close the organization for ever.
 *
 * @param what  names the function in the error
 * @throws TypeError if the value is no outcome, as if the function had thrown itself
 */
export const hostOutcome = <A>(what: string, given: E.Either<Failure, A>): E.Either<Failure, A> => {
  const outcome: unknown = unawaited(given)
  if (typeof outcome === 'object' && outcome !== null && '_tag' in outcome) {
    if (outcome._tag === 'Right' && 'right' in outcome) return given
    if (outcome._tag === 'Left' && 'left' in outcome && Failure.is(outcome.left)) return E.left(written(outcome.left))
  }
  throw new TypeError(`${what} gave no outcome: neither a failure nor a value`)
}

// The members of an error are read one by one, because a copy of it would not have its message.
const written = ({ code, message, details, like }: Failure): Failure => {
  const copied = details === undefined ? {} : { details: parseJson(JSON.stringify(details)) as readonly Json[] } // a list, as before
  return ordered({ code, message, ...copied, ...(like === undefined ? {} : { like }) })
}

/**
 * Returns the value of a host's function that must not be asynchronous. If the value is a promise all the same, nobody awaits it, and
 * its rejection must not end the process.
 */
export const unawaited = <A>(given: A): A => {
  if (given instanceof Promise) given.catch(() => undefined)
  return given
}
