import { boundedMap } from '../collections/bounded-map.ts'
import type { DecodedIntent } from '../definition/operation.ts'
import type { Scratch } from '../ports/scratch.ts'

/**
 * The intents of activities that have not ended yet. They are in memory while there is room; the bodies of the others are put aside, and
 * read again when they are needed. A log may have any number of waiting activities, each with a megabyte.
 */
export type Intents = {
  /** @param read  reads it again from its body */
  readonly keep: (
    body: Uint8Array,
    decoded: DecodedIntent,
    read: (body: Uint8Array) => DecodedIntent | undefined,
  ) => KeptIntent
}

export type KeptIntent = {
  readonly decoded: () => DecodedIntent | undefined
  /** Frees the intent: nobody needs it any more. */
  readonly release: () => void
}

/** A parsed body takes several times its length. */
const BODY_BYTES_MAX = 4 * 1024 * 1024

type Held = { readonly body: Uint8Array; readonly decoded: DecodedIntent; readonly putAside: () => void }

export const intents = (scratch: Scratch, bytesMax = BODY_BYTES_MAX): Intents => {
  const inMemory = boundedMap<object, Held>(bytesMax, {
    weightOf: ({ body }) => body.length,
    onForgotten: ({ putAside }) => putAside(),
  })
  return {
    keep: (body, decoded, read) => {
      const own = {}
      let place: number | undefined
      const hold = (held: Uint8Array, known: DecodedIntent): void => {
        const putAside = (): void => void (place ??= scratch.put(held))
        inMemory.set(own, { body: held, decoded: known, putAside })
        if (held.length > bytesMax) putAside() // it alone is too large for the memory
      }
      hold(body, decoded)
      return {
        decoded: () => {
          const known = inMemory.get(own)?.decoded
          if (known !== undefined || place === undefined) return known
          const again = scratch.get(place)
          const decodedAgain = read(again)
          if (decodedAgain !== undefined) hold(again, decodedAgain)
          return decodedAgain
        },
        release: () => inMemory.delete(own),
      }
    },
  }
}

/** Puts nothing aside and keeps all bodies in memory. */
export const memoryScratch = (): Scratch => {
  const kept: Uint8Array[] = []
  return { put: (bytes) => kept.push(bytes) - 1, get: (place) => kept[place] ?? new Uint8Array(0) }
}
