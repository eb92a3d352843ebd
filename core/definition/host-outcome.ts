import { Failure, ordered, type Json } from '../failure.ts'
import { parseJson } from '../json/parse-json.ts'
import { E } from '../prelude.ts'
import { keepCause } from '../telemetry/cause.ts'
import { ownError } from '../telemetry/tell-thrown.ts'
import { isRefusal } from './refuse.ts'

/*
 * The functions of a definition return plain values, and throw refusals. Here, and nowhere else, both become an `Either`. Hosts that are not
 * compiled with our types can return anything.
 */

/**
 * Calls a function of a host: its value, or the refusal that it threw.
 *
 * @param what  names the function in errors
 * @throws what else the function throws; TypeError if it returns a promise, or a refusal in place of throwing it
 */
export const outcomeOf = <A>(what: string, call: () => A): E.Either<Failure, A> => {
  try {
    const value = unawaited(call())
    if (value instanceof Promise) throw ownError(`${what} gave a promise: it must not be asynchronous`)
    return E.right(notReturned(what, value))
  } catch (thrown) {
    return refusedBy(thrown)
  }
}

/** As `outcomeOf`, for a function that may give a promise. */
export const outcomeLater = async <A>(what: string, call: () => A | Promise<A>): Promise<E.Either<Failure, A>> => {
  try {
    return E.right(notReturned(what, await call()))
  } catch (thrown) {
    return refusedBy(thrown)
  }
}

const notReturned = <A>(what: string, value: A): A => {
  if (isRefusal(value)) throw ownError(`${what} returned a refusal: it must throw it`)
  return value
}

/**
 * The failure is copied as JSON with its own members alone: it may go into the log, and a failure that replay cannot read there would close
 * the organization for ever.
 */
const refusedBy = (thrown: unknown): E.Either<Failure, never> => {
  if (!isRefusal(thrown) || !Failure.is(thrown)) throw thrown
  const { code, message, details, like } = thrown
  const copied = details.length === 0 ? {} : { details: parseJson(JSON.stringify(details)) as readonly Json[] } // a list, as before
  return E.left(keepCause(thrown, ordered({ code, message, ...copied, ...(like === undefined ? {} : { like }) })))
}

/**
 * Returns the value of a host's function that must not be asynchronous. If the value is a promise all the same, nobody awaits it, and
 * its rejection must not end the process.
 */
export const unawaited = <A>(given: A): A => {
  if (given instanceof Promise) given.catch(() => undefined)
  return given
}
