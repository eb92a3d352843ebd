import type { Ids } from '../../../core/ports/ids.ts'

/** Chance that can be had again: the same seed gives the same numbers (mulberry32). */
export type Random = {
  /** From 0 to 1, without 1. */
  readonly next: () => number
  /** A whole number from 0 to `below`, without it. */
  readonly below: (below: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <A>(list: readonly A[]) => A
}

export const random = (seed: number): Random => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (bound: number): number => Math.floor(next() * bound)
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: (list) => {
      const found = list[below(list.length)]
      if (found === undefined) throw new Error('nothing to pick from')
      return found
    },
  }
}

/** Ids that can be had again, too. */
export const randomIds = (random: Random): Ids => {
  const digits = (count: number): string => Array.from({ length: count }, () => random.below(16).toString(16)).join('')
  const uuid = (): string => `${digits(8)}-${digits(4)}-7${digits(3)}-8${digits(3)}-${digits(12)}`
  return { eventId: uuid, uuid, bytes: (length) => Uint8Array.from({ length }, () => random.below(256)) }
}
