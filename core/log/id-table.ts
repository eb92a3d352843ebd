/**
 * A number for each of very many UUIDs, in 40 to 80 bytes each: the log of a million activities has two million events,
 * and a `Map` holds at most 16 million entries. Open addressing with linear probing, half full at most.
 */
export type IdTable = {
  /**
   * Remembers a value, in place of the one before.
   *
   * @param value  a whole number from 1 to 2^32 − 1
   * @returns the one before; 0 for none
   */
  readonly put: (id: string, value: number) => number
  /** 0 for none. */
  readonly get: (id: string) => number
  readonly size: number
}

export const idTable = (): IdTable => {
  const table = new Table()
  const others = new Map<string, number>() // ids that are no UUIDs: nothing of ours makes them
  const key = new Uint32Array(WORDS)
  return {
    put: (id, value) => {
      if (readUuid(id, key)) return table.put(key, value)
      const before = others.get(id) ?? NONE
      others.set(id, value)
      return before
    },
    get: (id) => (readUuid(id, key) ? table.get(key) : (others.get(id) ?? NONE)),
    get size() {
      return table.size + others.size
    },
  }
}

const WORDS = 4
const NONE = 0

class Table {
  size = 0
  private mask = 1023
  private keys = new Uint32Array((this.mask + 1) * WORDS)
  private values = new Uint32Array(this.mask + 1)

  get(key: Uint32Array): number {
    return this.values[this.slotOf(key)] ?? NONE
  }

  put(key: Uint32Array, value: number): number {
    const slot = this.slotOf(key)
    const before = this.values[slot] ?? NONE
    this.values[slot] = value
    if (before !== NONE) return before
    this.keys.set(key, slot * WORDS)
    this.size += 1
    if (2 * this.size > this.mask) this.grow()
    return NONE
  }

  /** Where the key stands, or would. */
  private slotOf(key: Uint32Array): number {
    let slot = spread(key) & this.mask
    while (this.values[slot] !== NONE && !this.isAt(slot, key)) slot = (slot + 1) & this.mask
    return slot
  }

  private isAt(slot: number, key: Uint32Array): boolean {
    for (let i = 0; i < WORDS; i++) if (this.keys[slot * WORDS + i] !== key[i]) return false
    return true
  }

  private grow(): void {
    const { keys, values } = this
    this.mask = 2 * this.mask + 1
    this.keys = new Uint32Array((this.mask + 1) * WORDS)
    this.values = new Uint32Array(this.mask + 1)
    this.size = 0
    for (const [slot, value] of values.entries()) {
      if (value !== NONE) this.put(keys.subarray(slot * WORDS, (slot + 1) * WORDS), value)
    }
  }
}

const LENGTH = 36
const HYPHEN = 0x2d

/** Reads a UUID in lower case; false for any other text. */
const readUuid = (id: string, key: Uint32Array): boolean => {
  if (id.length !== LENGTH) return false
  let digits = 0
  let word = 0
  for (let i = 0; i < LENGTH; i++) {
    const code = id.charCodeAt(i)
    if (i === 8 || i === 13 || i === 18 || i === 23) {
      if (code !== HYPHEN) return false
      continue
    }
    const digit = digitOf(code)
    if (digit < 0) return false
    word = (word << 4) | digit // eight digits push out what was there before
    digits += 1
    if ((digits & 7) === 0) key[(digits >> 3) - 1] = word
  }
  return true
}

const digitOf = (code: number): number => {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  return code >= 0x61 && code <= 0x66 ? code - 0x57 : -1
}

// Ids of version 7 begin with the time: all words have their say.
const spread = (key: Uint32Array): number => {
  let mixed = 0
  for (const word of key) mixed = Math.imul(mixed ^ word, 0x85ebca6b) ^ (mixed >>> 13)
  return (mixed ^ (mixed >>> 15)) >>> 0
}
