/** Choices that look random and are the same for the same seed. Not for secrets. */
export type Random = {
  /** From 0 up to, but not including, 1. */
  readonly next: () => number
  /** A whole number from 0 up to, but not including, `end`. */
  readonly below: (end: number) => number
  readonly pick: <A>(items: readonly A[]) => A | undefined
  /** One of the items, more often the greater its weight is. */
  readonly weighted: <A>(items: readonly (readonly [weight: number, item: A])[]) => A | undefined
  /** Choices of their own, which do not depend on how many were made here meanwhile. */
  readonly fork: (name: string) => Random
}

export const randomOf = (seed: string): Random => {
  const next = mulberry32(hashed(seed))
  const below = (end: number): number => Math.floor(next() * end)
  return {
    next,
    below,
    pick: (items) => items[below(items.length)],
    weighted: (items) => {
      let left = next() * items.reduce((sum, [weight]) => sum + weight, 0)
      for (const [weight, item] of items) {
        left -= weight
        if (left < 0) return item
      }
      return items.at(-1)?.[1]
    },
    fork: (name) => randomOf(`${seed}/${name}`),
  }
}

/** Mulberry32, by Tommy Ettinger (public domain): 32 bits of state, enough to choose who does what. */
const mulberry32 = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** FNV-1a, 32 bits. */
const hashed = (text: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
