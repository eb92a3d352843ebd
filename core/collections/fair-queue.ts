import { tally } from './tally.ts'

/**
 * Bounds how many commands run at once, in all and of each organization. The others wait, and organizations take turns: for each command
 * of an organization with a thousand waiting commands, every other waiting organization also has one command let in. Within an
 * organization, the order of arrival holds.
 */
export type FairQueue = {
  /** Resolves when the organization's next command may go on. */
  readonly enter: (organizationId: string) => Promise<void>
  /** Like `enter`, for very many waiting commands: calls `go`, at once if there is room. */
  readonly join: (organizationId: string, go: () => void) => void
  /** Makes room for the next command. Call it once for each command that entered. */
  readonly leave: (organizationId: string) => void
  /** How many waiting commands would go on before the organization's next one. A command that need not wait has none before it. */
  readonly ahead: (organizationId: string) => number
  /** Whether no organization has more waiting commands. */
  readonly isLongest: (organizationId: string) => boolean
}

/** @param atOnceEach  how many commands of one organization may run at once; default: `atOnce` */
export const fairQueue = (atOnce: number, atOnceEach = atOnce): FairQueue => {
  const waiting = new Map<string, Line>() // iterates in the order of turns
  const inside = tally()
  // The entry n is the number of lines with more than n commands: that many commands go on in the round n from now.
  const rounds: number[] = []
  let all = 0

  const hasRoom = (organizationId: string): boolean =>
    all < atOnce && inside.of(organizationId) < Math.min(atOnce, atOnceEach)

  const letIn = (organizationId: string): void => {
    all += 1
    inside.up(organizationId)
  }

  // Only few organizations are skipped here: each of them already has as many commands inside as one organization may have.
  const letNextIn = (): void => {
    for (const [organizationId, line] of waiting) {
      if (!hasRoom(organizationId)) continue
      const first = line.next()
      const round = line.length()
      rounds[round] = (rounds[round] ?? 0) - 1
      if (rounds[round] === 0) rounds.length = round // no line is longer
      waiting.delete(organizationId)
      if (round > 0) waiting.set(organizationId, line) // its next turn comes after all others
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
    const round = line.length()
    rounds[round] = (rounds[round] ?? 0) + 1
    line.join(go)
    waiting.set(organizationId, line)
  }

  const lengthOf = (organizationId: string): number => waiting.get(organizationId)?.length() ?? 0

  return {
    enter: (organizationId) => new Promise((resolve) => join(organizationId, resolve)),
    join,
    isLongest: (organizationId) => lengthOf(organizationId) === rounds.length,
    leave: (organizationId) => {
      all -= 1
      inside.down(organizationId)
      letNextIn()
    },
    ahead: (organizationId) => {
      if (hasRoom(organizationId)) return 0
      let commands = 0
      for (let round = 0; round <= lengthOf(organizationId); round += 1) commands += rounds[round] ?? 0
      return commands
    },
  }
}

type Line = {
  readonly join: (wake: () => void) => void
  readonly next: () => (() => void) | undefined
  readonly length: () => number
}

/** A queue. Removing the first entry of an array costs time in proportion to its length; here it only moves an index. */
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
    length: () => entries.length - first,
  }
}

const COMPACT_FROM = 64
