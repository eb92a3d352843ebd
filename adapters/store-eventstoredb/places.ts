/** Positions at which events stand: the server reads from there, and from no other position. */
export type KnownPlaces = {
  /** Where to begin for what stands behind a position. */
  readonly startFor: (after: bigint) => bigint
  /** A known place before the position; 0 if there is none. */
  readonly before: (position: bigint) => bigint
  /** Keeps the places of events that were read. */
  readonly noted: <A extends { readonly stored: { readonly position: bigint } }>(found: readonly A[]) => readonly A[]
}

const PLACES_MAX = 20_000

/** Knows the events that were read last: whoever wants one of them again asks for what stands behind the position before it. */
export const knownPlaces = (): KnownPlaces => {
  const known = new Set<bigint>()
  return {
    startFor: (after) => (known.has(after + 1n) ? after + 1n : after),
    before: (position) => {
      let found = 0n
      for (const place of known) if (place <= position && place > found) found = place
      return found
    },
    noted: (found) => {
      for (const { stored } of found) known.add(stored.position)
      for (const place of known) {
        if (known.size <= PLACES_MAX) break
        known.delete(place)
      }
      return found
    },
  }
}
