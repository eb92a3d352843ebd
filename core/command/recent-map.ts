/**
 * A map that forgets what was not used for long, a generation at a time: to find the oldest entry of a `Map` costs more the
 * more entries it has had, and to let go of all of a generation costs nothing. It holds what was set or asked for last, up to
 * the weight of one generation at least, and of two at most.
 */
export type RecentMap<K, V> = {
  readonly get: (key: K) => V | undefined
  /** A value that weighs more than a generation is not kept. */
  readonly set: (key: K, value: V) => void
  readonly delete: (key: K) => void
}

/**
 * @param generationWeight  how much a generation weighs at most
 * @param weightOf  of a value; the same each time. Without it each counts as 1
 */
export const recentMap = <K, V>(
  generationWeight: number,
  weightOf: (value: V) => number = () => 1,
): RecentMap<K, V> => {
  let young = new Map<K, V>()
  let old = new Map<K, V>()
  let youngWeight = 0

  const remove = (key: K): void => {
    const value = young.get(key)
    if (value !== undefined) youngWeight -= weightOf(value)
    young.delete(key)
    old.delete(key)
  }

  const set = (key: K, value: V): void => {
    const weight = weightOf(value)
    remove(key)
    if (weight > generationWeight) return
    if (youngWeight + weight > generationWeight) {
      old = young
      young = new Map()
      youngWeight = 0
    }
    young.set(key, value)
    youngWeight += weight
  }

  return {
    get: (key) => {
      const value = young.get(key)
      if (value !== undefined) return value
      const older = old.get(key)
      if (older !== undefined) set(key, older)
      return older
    },
    set,
    delete: remove,
  }
}
