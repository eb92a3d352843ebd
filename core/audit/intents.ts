import type { Asked } from '../command/cell.ts'
import type { Scratch } from '../ports/scratch.ts'

/**
 * What the activities of a log ask for that have not ended yet: in memory as far as there is room, else read again from the
 * body, which is put aside. A log may have any number of activities that wait, and each may ask for a megabyte.
 */
export type Intents = {
  /** @param read  reads it again from its body */
  readonly keep: (body: Uint8Array, asked: Asked, read: (body: Uint8Array) => Asked | undefined) => KeptIntent
}

export type KeptIntent = {
  readonly asked: () => Asked | undefined
  /** Nobody will ask again. */
  readonly release: () => void
}

/** A parsed body takes several times its length. */
const BODY_BYTES_MAX = 4 * 1024 * 1024

type Entry = { readonly body: Uint8Array; readonly asked: Asked; readonly putAside: () => void }

export const intents = (scratch: Scratch, bytesMax = BODY_BYTES_MAX): Intents => {
  const inMemory = new Set<Entry>() // in the order in which they were used
  let bytes = 0

  const drop = (entry: Entry): void => {
    if (inMemory.delete(entry)) bytes -= entry.body.length
  }
  const add = (entry: Entry): void => {
    inMemory.add(entry)
    bytes += entry.body.length
    for (const oldest of inMemory) {
      if (bytes <= bytesMax || oldest === entry) return
      oldest.putAside()
    }
  }

  return {
    keep: (body, asked, read) => {
      let place: number | undefined
      let entry: Entry | undefined
      const hold = (held: Uint8Array, known: Asked): void => {
        const own: Entry = {
          body: held,
          asked: known,
          putAside: () => {
            place ??= scratch.put(held)
            entry = undefined
            drop(own)
          },
        }
        entry = own
        add(own)
      }
      hold(body, asked)
      return {
        asked: () => {
          if (entry !== undefined) {
            inMemory.delete(entry)
            inMemory.add(entry)
            return entry.asked
          }
          const again = place === undefined ? undefined : scratch.get(place)
          const known = again === undefined ? undefined : read(again)
          if (again !== undefined && known !== undefined) hold(again, known)
          return known
        },
        release: () => {
          if (entry !== undefined) drop(entry)
          entry = undefined
        },
      }
    },
  }
}

/** Puts nothing aside: for a reader who has the memory. */
export const memoryScratch = (): Scratch => {
  const kept: Uint8Array[] = []
  return { put: (bytes) => kept.push(bytes) - 1, get: (place) => kept[place] ?? new Uint8Array(0) }
}
