import type { Random } from './random.ts'

/** What happens in one history besides its requests. Not everything happens in each, so that quiet ones are there, too. */
export type Plan = {
  readonly processes: number
  readonly hasGaps: boolean
  /** The step at which the store loses its end; `undefined` if it never does. */
  readonly goesBackAt: number | undefined
  /** Whether the rows stand elsewhere, and do not go back with the log. */
  readonly keepsRows: boolean
  /** Whether leases outlive it: each was taken long before, and a renewal that is lost changes little. */
  readonly keepsLeases: boolean
  /** Whether two versions of the software run at once. */
  readonly isUpgrade: boolean
  /** Whether the old version cannot take some events. */
  readonly isPoisoned: boolean
  /** Whether at the end some go on as they are, and nobody comes back. */
  readonly endsWithSurvivors: boolean
  /** Whether people begin organizations below theirs. */
  readonly hasChildren: boolean
  /** How likely each of these is, at each step. */
  readonly chances: { readonly crash: number; readonly freeze: number; readonly cut: number; readonly jump: number }
}

export const planOf = (random: Random, processes: number, steps: number, hasChildren: boolean): Plan => {
  const isUpgrade = random.chance(0.5)
  return {
    processes,
    hasGaps: random.chance(0.4),
    goesBackAt: random.chance(0.35) ? Math.floor(steps / 4) + random.below(Math.floor(steps / 2)) : undefined,
    keepsRows: random.chance(0.4),
    keepsLeases: random.chance(0.5),
    isUpgrade,
    isPoisoned: isUpgrade && random.chance(0.6),
    endsWithSurvivors: random.chance(0.6),
    hasChildren,
    chances: {
      crash: random.pick([0.002, 0.012, 0.02]),
      freeze: random.pick([0, 0.01, 0.02]),
      cut: random.pick([0, 0, 0.015]),
      jump: random.pick([0, 0.006]),
    },
  }
}
