/**
 * A number for each of very many UUIDs, in 40 to 80 bytes each: the log of a million activities has two million events,
 * and a `Map` holds at most 16 million entries. Open addressing with linear probing, half full at most.
 */
export type IdTable = {
  readonly get: (id: string) => number | undefined
  /** @param value  a whole number from 1 to 2^32 − 1 */
  readonly set: (id: string, value: number) => void
  readonly size: number
}

export const idTable = (): IdTable => {
  const table = new Table()
  const others = new Map<string, number>() // ids that are no UUIDs: nothing of ours makes them
  return {
    get: (id) => (isKey(id) ? table.get(id) : others.get(id)),
    set: (id, value) => void (isKey(id) ? table.set(id, value) : others.set(id, value)),
    get size() {
      return table.size + others.size
    },
  }
}

const KEY = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const isKey = (id: string): boolean => KEY.test(id)

const WORDS = 4
const NONE = 0

class Table {
  size = 0
  private mask = 1023
  private keys = new Uint32Array((this.mask + 1) * WORDS)
  private values = new Uint32Array(this.mask + 1)

  get(id: string): number | undefined {
    const value = this.values[this.slotOf(words(id))]
    return value === NONE ? undefined : value
  }

  set(id: string, value: number): void {
    if (this.put(words(id), value) && 2 * this.size > this.mask) this.grow()
  }

  /** @returns whether the key is new */
  private put(key: Key, value: number): boolean {
    const slot = this.slotOf(key)
    const isNew = this.values[slot] === NONE
    if (isNew) {
      this.keys.set(key, slot * WORDS)
      this.size += 1
    }
    this.values[slot] = value
    return isNew
  }

  /** Where the key stands, or would. */
  private slotOf(key: Key): number {
    let slot = spread(key) & this.mask
    while (this.values[slot] !== NONE && !this.isAt(slot, key)) slot = (slot + 1) & this.mask
    return slot
  }

  private isAt(slot: number, key: Key): boolean {
    for (let i = 0; i < WORDS; i++) if (this.keys[slot * WORDS + i] !== key[i]) return false
    return true
  }

  private grow(): void {
    const { keys, values } = this
    this.mask = 2 * this.mask + 1
    this.keys = new Uint32Array((this.mask + 1) * WORDS)
    this.values = new Uint32Array(this.mask + 1)
    this.size = 0
    values.forEach((value, slot) => {
      const at = slot * WORDS
      if (value !== NONE) this.put([keys[at] ?? 0, keys[at + 1] ?? 0, keys[at + 2] ?? 0, keys[at + 3] ?? 0], value)
    })
  }
}

type Key = readonly [number, number, number, number]

const words = (id: string): Key => [
  Number.parseInt(id.slice(0, 8), 16),
  Number.parseInt(id.slice(9, 13) + id.slice(14, 18), 16),
  Number.parseInt(id.slice(19, 23) + id.slice(24, 28), 16),
  Number.parseInt(id.slice(28), 16),
]

// Ids of version 7 begin with the time: all words have their say.
const spread = ([a, b, c, d]: Key): number => {
  const mixed = Math.imul(a ^ Math.imul(b, 0x85ebca6b), 0xc2b2ae35) ^ Math.imul(c ^ Math.imul(d, 0x27d4eb2f), 0x165667b1)
  return (mixed ^ (mixed >>> 15)) >>> 0
}
