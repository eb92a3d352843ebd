/** Counts by name. What is counted down to nothing takes no memory: very many names come and go. */
export type Tally = {
  /** Those above zero. It changes with what is counted. */
  readonly counts: ReadonlyMap<string, number>
  readonly of: (name: string) => number
  readonly up: (name: string) => void
  /** Never below zero. */
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
