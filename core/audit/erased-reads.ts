/** How often a personal member that was erased has been read, in all logs of an audit. */
export type ErasedReads = { count: number }

/** What a part of an audit gave, and whether it read what was erased: then nothing follows from a difference. */
export type Watched<A> = { readonly given: A | undefined; readonly hasRead: boolean }

/**
 * Runs a part of an audit, and finds out whether it reads personal members that were erased.
 *
 * @throws what `run` throws, unless it has read what was erased: a fallback may be a value that an operation does not expect
 */
export const watched = <A>(reads: ErasedReads, run: () => A): Watched<A> => {
  const before = reads.count
  try {
    const given = run()
    return { given, hasRead: reads.count !== before }
  } catch (cause) {
    if (reads.count === before) throw cause
    return { given: undefined, hasRead: true }
  }
}
