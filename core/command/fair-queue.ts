import { tally } from './tally.ts'

/**
 * Lets so many in at once, and of each organization so many, and the others by turns: an organization with a thousand commands
 * waiting has one of them let in for each one of every other organization that waits. Within an organization the order of
 * arrival holds.
 */
export type FairQueue = {
  /** Resolves when the organization's next command may go on. */
  readonly enter: (organizationId: string) => Promise<void>
  /** As `enter`, for very many that wait: calls what it is given, at once where there is room. */
  readonly join: (organizationId: string, go: () => void) => void
  /** Makes room for the next. To be called once for each that entered. */
  readonly leave: (organizationId: string) => void
}

/** @param atOnceEach  how many of one organization may be inside: as many as of all, unless told otherwise */
export const fairQueue = (atOnce: number, atOnceEach = atOnce): FairQueue => {
  const waiting = new Map<string, Line>() // iterates in the order of turns
  const inside = tally()
  let all = 0

  const hasRoom = (organizationId: string): boolean =>
    all < atOnce && inside.of(organizationId) < Math.min(atOnce, atOnceEach)

  const letIn = (organizationId: string): void => {
    all += 1
    inside.up(organizationId)
  }

  // Those who may not come in for now are few: each of them has all the room inside that one organization may have.
  const letNextIn = (): void => {
    for (const [organizationId, line] of waiting) {
      if (!hasRoom(organizationId)) continue
      const first = line.next()
      waiting.delete(organizationId)
      if (!line.isEmpty()) waiting.set(organizationId, line) // its next turn comes after everybody else's
      letIn(organizationId)
      return first?.()
    }
  }

  const join = (organizationId: string, go: () => void): void => {
    if (hasRoom(organizationId)) {
      letIn(organizationId)
      return go()
    }
    const line = waiting.get(organizationId) ?? emptyLine()
    line.join(go)
    waiting.set(organizationId, line)
  }

  return {
    enter: (organizationId) => new Promise((resolve) => join(organizationId, resolve)),
    join,
    leave: (organizationId) => {
      all -= 1
      inside.down(organizationId)
      letNextIn()
    },
  }
}

type Line = {
  readonly join: (wake: () => void) => void
  readonly next: () => (() => void) | undefined
  readonly isEmpty: () => boolean
}

/** To take the first entry out of a long array costs as much as the array is long: here it only moves a mark. */
const emptyLine = (): Line => {
  let entries: (() => void)[] = []
  let first = 0
  return {
    join: (wake) => void entries.push(wake),
    next: () => {
      const wake = entries[first]
      first += 1
      if (first > COMPACT_FROM && 2 * first > entries.length) {
        entries = entries.slice(first)
        first = 0
      }
      return wake
    },
    isEmpty: () => first >= entries.length,
  }
}

const COMPACT_FROM = 64
