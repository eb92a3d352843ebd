import type { Ids } from '../ports/ids.ts'

/**
 * Keeps a number for each of very many UUIDs in lower case, in 40 to 80 bytes each: the log of a million activities has two million
 * events, and a `Map` holds at most 16 million entries. It uses open addressing with linear probing, and is at most half full.
 *
 * It throws for any other id: the reader of lines refuses such ids (`isNamedByUuids`).
 */
export type IdTable = {
  /**
   * Stores a value, and replaces the one before.
   *
   * @param scope  a whole number from 0 to 2^32 − 1: the same id in another scope is another key
   * @param value  a whole number from 1 to 2^32 − 1
   * @returns the value before; 0 for none
   */
  readonly put: (scope: number, id: string, value: number) => number
  /** The value; 0 for none. */
  readonly get: (scope: number, id: string) => number
  readonly size: number
}

/**
 * @param ids  gives random words for a hash that nobody can predict: the author of a forged log could otherwise choose ids that all
 *   have one place in the table
 */
export const idTable = (ids: Pick<Ids, 'bytes'>): IdTable => {
  const table = new Table(randomWords(ids))
  const key = new Uint32Array(WORDS)
  const read = (scope: number, id: string): Uint32Array => {
    if (!readUuid(id, key)) throw new Error('expected a UUID in lower case') // the reader of lines refuses all others
    key[SCOPE] = scope
    return key
  }
  return {
    put: (scope, id, value) => table.put(read(scope, id), value),
    get: (scope, id) => table.get(read(scope, id)),
    get size() {
      return table.size
    },
  }
}

/** A key has four words of the UUID, and one of the scope. */
const WORDS = 5
const SCOPE = 4
const NONE = 0

/** A random word for each value of each byte of a key. */
const randomWords = ({ bytes }: Pick<Ids, 'bytes'>): Uint32Array => {
  const random = bytes(WORDS * 4 * 256 * 4)
  const view = new DataView(random.buffer, random.byteOffset, random.length)
  return Uint32Array.from({ length: random.length / 4 }, (_, index) => view.getUint32(index * 4))
}

class Table {
  size = 0
  private mask = 1023
  private keys = new Uint32Array((this.mask + 1) * WORDS)
  private values = new Uint32Array(this.mask + 1)
  private readonly random: Uint32Array

  constructor(random: Uint32Array) {
    this.random = random
  }

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

  /** The slot of the key, or the free slot where it would be put. */
  private slotOf(key: Uint32Array): number {
    let slot = this.hash(key) & this.mask
    while (this.values[slot] !== NONE && !this.isAt(slot, key)) slot = (slot + 1) & this.mask
    return slot
  }

  /** Tabulation hashing (Zobrist): each byte of the key picks a random word, and all of them are joined. */
  private hash(key: Uint32Array): number {
    const { random } = this
    let hash = 0
    for (let i = 0; i < WORDS; i++) {
      const word = key[i] ?? 0
      const row = i << 10
      hash ^=
        (random[row | (word & 0xff)] ?? 0) ^
        (random[row | 0x100 | ((word >>> 8) & 0xff)] ?? 0) ^
        (random[row | 0x200 | ((word >>> 16) & 0xff)] ?? 0) ^
        (random[row | 0x300 | (word >>> 24)] ?? 0)
    }
    return hash >>> 0
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
    word = (word << 4) | digit // eight digits fill the word, and push out the older ones
    digits += 1
    if ((digits & 7) === 0) key[(digits >> 3) - 1] = word
  }
  return true
}

const digitOf = (code: number): number => {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  return code >= 0x61 && code <= 0x66 ? code - 0x57 : -1
}
