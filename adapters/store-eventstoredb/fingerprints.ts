import { randomBytes } from 'node:crypto'

/** A set of texts that may take one for another that it has not, and never the other way round. */
export type Fingerprints = {
  readonly add: (text: string) => void
  /** False: the text was not added. True: it was, or one with the same fingerprint. */
  readonly mayHave: (text: string) => boolean
  /** Whether it still has all that was added: if there is no room for more, it lets go everything. */
  readonly isWhole: () => boolean
  /** Lets go everything, for good. */
  readonly release: () => void
}

/** What several of these sets may take together. */
export type Room = { bytes: number }

const SLOTS_MIN = 64
const SLOT_BYTES = 4

/**
 * Numbers of 32 bits, in a table that is at most half full: some eight bytes for a text. Of a million texts that were not added, and as many that
 * were, some two hundred are taken for one of these.
 */
export const fingerprints = (room: Room): Fingerprints => {
  let slots: Uint32Array | undefined = new Uint32Array(SLOTS_MIN)
  let count = 0
  room.bytes -= SLOTS_MIN * SLOT_BYTES

  const release = (): void => {
    if (slots !== undefined) room.bytes += slots.length * SLOT_BYTES
    slots = undefined
  }

  const grow = (from: Uint32Array): void => {
    const bytes = from.length * SLOT_BYTES
    if (bytes > room.bytes) return release()
    room.bytes -= bytes
    slots = new Uint32Array(from.length * 2)
    for (const print of from) if (print !== 0) slots[slotOf(slots, print)] = print
  }

  return {
    add: (text) => {
      if (slots === undefined) return
      const print = printOf(text)
      const slot = slotOf(slots, print)
      if (slots[slot] === print) return
      slots[slot] = print
      count += 1
      if (count * 2 > slots.length) grow(slots)
    },
    mayHave: (text) => {
      if (slots === undefined) return true
      const print = printOf(text)
      return slots[slotOf(slots, print)] === print
    },
    isWhole: () => slots !== undefined,
    release,
  }
}

/** The slot that has the number, or the free one where it belongs. */
const slotOf = (slots: Uint32Array, print: number): number => {
  const last = slots.length - 1 // of a power of two: all ones
  let slot = print & last
  while (slots[slot] !== 0 && slots[slot] !== print) slot = (slot + 1) & last
  return slot
}

/** Another one in each process, so that nobody can choose texts whose numbers stand close together. */
const SEED = randomBytes(4).readUInt32LE()

/** FNV-1a over UTF-16, then mixed, so that low bits depend on all of the text. Never 0, which is a free slot. */
const printOf = (text: string): number => {
  let hash = SEED
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  hash = (hash ^ (hash >>> 16)) >>> 0
  return hash === 0 ? 1 : hash
}
