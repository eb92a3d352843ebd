/** So many places for each key. */
export type Places = {
  /** Takes a place; false if all of the key are taken. */
  readonly enter: (key: string) => boolean
  readonly leave: (key: string) => void
}

export const places = (perKey: number): Places => {
  const taken = new Map<string, number>()
  return {
    enter: (key) => {
      const count = taken.get(key) ?? 0
      if (count < perKey) taken.set(key, count + 1)
      return count < perKey
    },
    leave: (key) => {
      const left = (taken.get(key) ?? 1) - 1
      if (left === 0) taken.delete(key)
      else taken.set(key, left)
    },
  }
}
