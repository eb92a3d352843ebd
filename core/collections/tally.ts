/** Counts by name. A name with the count 0 takes no memory, because very many names come and go. */
export type Tally = {
  /** The counts above zero. The map changes with every call of `up` and `down`. */
  readonly counts: ReadonlyMap<string, number>
  readonly of: (name: string) => number
  readonly up: (name: string) => void
  /** The count never falls below zero. */
  readonly down: (name: string) => void
}

export const tally = (): Tally => {
  const counts = new Map<string, number>()
  const of = (name: string): number => counts.get(name) ?? 0
  return {
    counts,
    of,
    up: (name) => void counts.set(name, of(name) + 1),
    down: (name) => {
      const left = of(name) - 1
      if (left > 0) counts.set(name, left)
      else counts.delete(name)
    },
  }
}
