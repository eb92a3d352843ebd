/**
 * Lets so many in at once, and the others by turns: an organization with a thousand commands waiting has one of them let
 * in for each one of every other organization that waits. Within an organization the order of arrival holds.
 */
export type FairQueue = {
  /** Resolves when the organization's next command may go on. */
  readonly enter: (organizationId: string) => Promise<void>
  /** Makes room for the next. To be called once for each that entered. */
  readonly leave: () => void
}

export const fairQueue = (atOnce: number): FairQueue => {
  const waiting = new Map<string, (() => void)[]>() // iterates in the order of turns
  let inside = 0
  return {
    enter: (organizationId) => {
      if (inside < atOnce) {
        inside += 1
        return Promise.resolve()
      }
      return new Promise((resolve) => {
        const line = waiting.get(organizationId)
        if (line === undefined) waiting.set(organizationId, [resolve])
        else line.push(resolve)
      })
    },
    leave: () => {
      const next = waiting.entries().next()
      if (next.done === true) {
        inside -= 1
        return
      }
      const [organizationId, line] = next.value
      const first = line.shift()
      waiting.delete(organizationId)
      if (line.length > 0) waiting.set(organizationId, line) // its next turn comes after everybody else's
      first?.()
    },
  }
}
