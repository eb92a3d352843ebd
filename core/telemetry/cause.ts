import type { Failure, Json } from '../failure.ts'

/** What an operator is told of a failure and a caller is not: names of files, codes and texts of the system. It contains no secret. */
export type Cause = { readonly [name: string]: Json }

/** Beside the failures and not in them, so that no answer can contain a cause by mistake. */
const causes = new WeakMap<Failure, () => Cause>()

/** The same failure with a cause. `cause` is called only when an operator is told. */
export const withCause = (failure: Failure, cause: () => Cause): Failure => {
  const own = { ...failure } // a failure may be a constant that others use, too
  causes.set(own, cause)
  return own
}

/** The cause of a failure; `undefined` if it has none. A copy of a failure has none. */
export const causeOf = (failure: Failure): Cause | undefined => causes.get(failure)?.()

/** Whether the failure has a cause. */
export const hasCause = (failure: Failure): boolean => causes.has(failure)

/** For an error that nobody expected: its name, and the place where it was thrown. Its message may quote a value. */
export const placeOf = (error: unknown): string =>
  error instanceof Error ? `${error.name} ${/^\s+(at .*)$/m.exec(error.stack ?? '')?.[1] ?? ''}`.trim() : 'unknown'
