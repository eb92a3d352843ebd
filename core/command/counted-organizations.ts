/**
 * Keeps apart what a count of all organizations has seen and what comes while it runs. Organizations are counted page by page, in the order
 * of their ids, while events go on. Each event has to be in the count of its organization, or be added to it, and never both.
 */
export type CountedOrganizations<A> = {
  /** The id behind which the next page begins. Call it just before the page is read. */
  readonly begin: () => string
  /** Takes a page of ids. */
  readonly page: (ids: readonly string[], isLast: boolean) => void
  /** The organizations of the page that are not counted yet. */
  readonly uncounted: () => readonly string[]
  /**
   * Says that an organization was counted when its log ended at the position.
   *
   * @param passed  the position up to which events were given to `isToAdd`
   * @returns the events that came meanwhile and are not in that count
   */
  readonly counted: (organization: string, position: bigint, passed: bigint) => readonly A[]
  /** Whether every organization is counted. */
  readonly isDone: () => boolean
  /** Whether the event has to be added now. Otherwise a count has it, or will have it, or `counted` gives it back. */
  readonly isToAdd: (organization: string, position: bigint, event: A) => boolean
}

export const countedOrganizations = <A>(): CountedOrganizations<A> => {
  /** Ids up to this one are counted, or in the page. */
  let reached = ''
  let isLast = false
  let uncounted = new Set<string>()
  /** Events that came while their organization was being counted, or while a page was read. */
  const kept = new Map<string, { readonly position: bigint; readonly event: A }[]>()
  /** Where the logs ended when they were counted, as long as events before that may come. */
  const ends = new Map<string, bigint>()

  return {
    begin: () => {
      kept.clear() // what is durable before the page is read is in it
      return reached
    },
    page: (ids, isTheLast) => {
      reached = ids[ids.length - 1] ?? reached
      isLast = isTheLast
      // An organization that began while the page was read may not be in it.
      uncounted = new Set([...ids, ...[...kept.keys()].filter((id) => isLast || id <= reached)])
    },
    uncounted: () => [...uncounted],
    counted: (organization, position, passed) => {
      uncounted.delete(organization)
      if (position > passed) ends.set(organization, position)
      const meanwhile = kept.get(organization) ?? []
      kept.delete(organization)
      return meanwhile.filter((one) => one.position > position).map(({ event }) => event)
    },
    isDone: () => isLast && uncounted.size === 0,
    isToAdd: (organization, position, event) => {
      if ((isLast || organization <= reached) && !uncounted.has(organization)) {
        const end = ends.size === 0 ? undefined : ends.get(organization)
        if (end !== undefined && position > end) ends.delete(organization)
        return end === undefined || position > end
      }
      const found = kept.get(organization)
      if (found === undefined) kept.set(organization, [{ position, event }])
      else found.push({ position, event })
      return false
    },
  }
}
