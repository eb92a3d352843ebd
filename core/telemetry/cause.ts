import type { Failure, Json } from '../failure.ts'

/** What an operator is told of a failure and a caller is not: names of files, codes and texts of the system. It contains no secret. */
export type Cause = { readonly [name: string]: Json }

/** Beside the failures and not in them, so that no answer can contain a cause by mistake. */
const causes = new WeakMap<object, () => Cause>()

/**
 * The same failure with a cause; a refusal is given it itself. `cause` is called only when an operator is told.
 *
 * @example throw withCause(refuse('UNAVAILABLE', 'the bank does not answer'), () => ({ status }))
 */
export const withCause = <F extends object>(failure: F, cause: () => Cause): F => {
  const own = failure instanceof Error ? failure : { ...failure } // a failure may be a constant that others use, too
  causes.set(own, cause)
  return own
}

/** Gives the cause of one failure, if it has any, to another form of it. */
export const keepCause = <F extends object>(from: object, to: F): F => {
  const cause = causes.get(from)
  if (cause !== undefined) causes.set(to, cause)
  return to
}

/** The cause of a failure; `undefined` if it has none. A copy of a failure has none. */
export const causeOf = (failure: Failure): Cause | undefined => causes.get(failure)?.()

/** Whether the failure has a cause. */
export const hasCause = (failure: Failure): boolean => causes.has(failure)

/** For an error that nobody expected: its name, and the place where it was thrown. Its message may quote a value. */
export const placeOf = (error: unknown): string =>
  error instanceof Error ? `${error.name} ${/^\s+(at .*)$/m.exec(error.stack ?? '')?.[1] ?? ''}`.trim() : 'unknown'

/** Beside failures, and beside the errors that are made of them: what a host's function threw. */
const thrown = new WeakMap<object, unknown>()

/** The same failure with the error of a host's function behind it. It may hold a secret: only an author's own tests see it. */
export const withThrown = <F extends Failure>(failure: F, error: unknown): F => {
  const own = { ...failure }
  thrown.set(own, error)
  return own
}

export const thrownBehind = (failure: object): unknown => thrown.get(failure)

/** Gives the error behind a failure to the error that is made of it. */
export const keepThrown = <E extends object>(from: object, to: E): E => {
  if (thrown.has(from)) thrown.set(to, thrown.get(from))
  return to
}
