/**
 * A map that forgets, for what is many and short-lived: entries go a generation at a time, which costs nothing for each of
 * them. Of the newest entries it has at least `min`, and at most twice as many.
 */
export type RecentMap<K, V> = {
  readonly get: (key: K) => V | undefined
  readonly set: (key: K, value: V) => void
  readonly deleteWhere: (test: (value: V) => boolean) => void
}

export const recentMap = <K, V>(min: number): RecentMap<K, V> => {
  let young = new Map<K, V>()
  let old = new Map<K, V>()
  return {
    get: (key) => young.get(key) ?? old.get(key),
    set: (key, value) => {
      young.set(key, value)
      if (young.size < min) return
      old = young
      young = new Map()
    },
    deleteWhere: (test) => {
      for (const map of [young, old]) for (const [key, value] of map) if (test(value)) map.delete(key)
    },
  }
}
