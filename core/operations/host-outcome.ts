import { failure, Failure, type Json } from '../failure.ts'
import { parseJson } from '../json/parse-json.ts'
import { E } from '../prelude.ts'

/**
 * What a function of a host gave, where that is an outcome: hosts that are not compiled with our types can give anything. A
 * failure is written anew, with nothing but its own members and as JSON has it: it may go into the log, and what replay
 * cannot read there would close the organization for ever.
 *
 * @param what  names the function in what is thrown
 * @throws TypeError where it is no outcome, as if the function had thrown itself
 */
export const hostOutcome = <A>(what: string, given: E.Either<Failure, A>): E.Either<Failure, A> => {
  const outcome: unknown = unawaited(given)
  if (typeof outcome === 'object' && outcome !== null && '_tag' in outcome) {
    if (outcome._tag === 'Right' && 'right' in outcome) return given
    if (outcome._tag === 'Left' && 'left' in outcome && Failure.is(outcome.left)) return E.left(written(outcome.left))
  }
  throw new TypeError(`${what} gave no outcome: neither a failure nor a value`)
}

const written = ({ code, message, details }: Failure): Failure =>
  failure(code, message, details === undefined ? undefined : (parseJson(JSON.stringify(details)) as readonly Json[])) // a list, as before

/**
 * What a function of a host gave that was not to wait. Where it is a promise all the same, nobody will wait for it: that it
 * rejects must not end the process.
 */
export const unawaited = <A>(given: A): A => {
  if (given instanceof Promise) given.catch(() => undefined)
  return given
}
