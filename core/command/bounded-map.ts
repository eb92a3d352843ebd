/** A map that forgets what was not used for longest when it grows beyond its bound. */
export type BoundedMap<K, V> = {
  readonly get: (key: K) => V | undefined
  readonly set: (key: K, value: V) => void
  readonly delete: (key: K) => void
  readonly values: () => IterableIterator<V>
  readonly size: () => number
}

/**
 * @param canForget  an entry for which this says no is kept, even beyond the bound
 * @param onForgotten  told of each entry that fell out by itself
 */
export const boundedMap = <K, V>(
  max: number,
  canForget: (value: V) => boolean = () => true,
  onForgotten: (value: V) => void = () => undefined,
): BoundedMap<K, V> => {
  const entries = new Map<K, V>() // iterates in order of insertion: the least recently used comes first
  const forgetOldest = (newest: K): void => {
    let looked = 0
    for (const [key, value] of entries) {
      if (entries.size <= max || looked >= 16 || key === newest) return
      looked += 1
      if (!canForget(value)) continue
      entries.delete(key)
      onForgotten(value)
    }
  }
  return {
    get: (key) => {
      const value = entries.get(key)
      if (value === undefined) return undefined
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    set: (key, value) => {
      entries.delete(key)
      entries.set(key, value)
      if (entries.size > max) forgetOldest(key)
    },
    delete: (key) => void entries.delete(key),
    values: () => entries.values(),
    size: () => entries.size,
  }
}
