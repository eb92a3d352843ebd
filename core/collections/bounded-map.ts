/** A map that forgets its least recently used entries when it grows beyond its bound. Each call takes constant time. */
export type BoundedMap<K, V> = {
  /** Counts as a use. */
  readonly get: (key: K) => V | undefined
  /** Replaces the value of the key. A value that weighs more than the bound is not kept. */
  readonly set: (key: K, value: V) => void
  readonly delete: (key: K) => void
  readonly clear: () => void
  readonly values: () => IterableIterator<V>
  readonly size: () => number
}

export type BoundedMapOptions<K, V> = {
  /** The weight of an entry, called by `set`. Default: 1. */
  readonly weightOf?: (value: V, key: K) => number
  /** If this returns false, the entry is kept, even beyond the bound. */
  readonly canForget?: (value: V) => boolean
  /** Called for each entry that the map forgot because of its bound. */
  readonly onForgotten?: (value: V) => void
}

/** An entry of the linked list in order of use. Finding the oldest entry of a `Map` would take longer, the more entries were deleted. */
type Entry<K, V> = {
  readonly key: K
  readonly value: V
  readonly weight: number
  older: Entry<K, V> | undefined
  newer: Entry<K, V> | undefined
}

/** How many entries that cannot be forgotten are skipped in one call. */
const PASSED_OVER_MAX = 16

/** @param weightMax  the most that all entries weigh together */
export const boundedMap = <K, V>(
  weightMax: number,
  { weightOf = () => 1, canForget = () => true, onForgotten }: BoundedMapOptions<K, V> = {},
): BoundedMap<K, V> => {
  const entries = new Map<K, Entry<K, V>>()
  let oldest: Entry<K, V> | undefined
  let newest: Entry<K, V> | undefined
  let weight = 0

  const unlink = ({ older, newer }: Entry<K, V>): void => {
    if (older === undefined) oldest = newer
    else older.newer = newer
    if (newer === undefined) newest = older
    else newer.older = older
  }
  const append = (entry: Entry<K, V>): void => {
    entry.older = newest
    entry.newer = undefined
    if (newest === undefined) oldest = entry
    else newest.newer = entry
    newest = entry
  }
  const remove = (entry: Entry<K, V> | undefined): void => {
    if (entry === undefined) return
    unlink(entry)
    // Otherwise it would keep its neighbours, and they theirs, until the next full garbage collection, though all were forgotten.
    entry.older = undefined
    entry.newer = undefined
    entries.delete(entry.key)
    weight -= entry.weight
  }
  const isTooHeavy = (): boolean => weight > weightMax
  const makeRoom = (): void => {
    const forgotten: V[] = [] // reported when the map is consistent again, because `onForgotten` may use it
    let passedOver = 0
    let entry = oldest
    while (isTooHeavy() && passedOver < PASSED_OVER_MAX && entry !== undefined && entry !== newest) {
      const { newer, value } = entry
      if (canForget(value)) {
        remove(entry)
        forgotten.push(value)
      } else passedOver += 1
      entry = newer
    }
    if (onForgotten !== undefined) for (const value of forgotten) onForgotten(value)
  }

  return {
    get: (key) => {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      if (entry !== newest) {
        unlink(entry)
        append(entry)
      }
      return entry.value
    },
    set: (key, value) => {
      remove(entries.get(key))
      const own = weightOf(value, key)
      if (own > weightMax) return
      const entry: Entry<K, V> = { key, value, weight: own, older: undefined, newer: undefined }
      entries.set(key, entry)
      append(entry)
      weight += own
      if (isTooHeavy()) makeRoom()
    },
    delete: (key) => remove(entries.get(key)),
    clear: () => {
      entries.clear()
      oldest = undefined
      newest = undefined
      weight = 0
    },
    *values() {
      for (const { value } of entries.values()) yield value
    },
    size: () => entries.size,
  }
}
