/**
 * Looks until there is something: for what no event announces, such as a file, a row or a process of its own. It has no limit: the runner has one.
 *
 * @returns what `look` found
 */
export const until = async <A>(look: () => A | undefined | Promise<A | undefined>): Promise<NonNullable<A>> => {
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== null && found !== false) return found
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
