import type { Exchange } from './exchange.ts'
import { room, type Room } from './room.ts'

/** Room of which each caller takes at most half: the engine may work long on a body, and one caller must not keep all others out. */
export type SharedRoom = {
  /**
   * Takes the bytes when it is the caller's turn and there is room, also within the caller's half. Gives a function that releases the
   * bytes; undefined if the exchange was over before that.
   */
  readonly enter: (caller: string, bytes: number, exchange: Exchange) => Promise<(() => void) | undefined>
}

type Half = { readonly space: Room; requests: number }

export const sharedRoom = (bytesMax: number): SharedRoom => {
  const all = room(bytesMax)
  const halves = new Map<string, Half>() // of the callers who are inside, or wait

  const halfOf = (caller: string): Half => {
    const half = halves.get(caller) ?? { space: room(bytesMax / 2), requests: 0 }
    halves.set(caller, half)
    half.requests += 1
    return half
  }

  return {
    enter: async (caller, bytes, exchange) => {
      const half = halfOf(caller)
      const leave = (): void => {
        half.requests -= 1
        if (half.requests === 0) halves.delete(caller)
      }
      if (!(await half.space.enter(caller, bytes, exchange))) {
        leave()
        return undefined
      }
      const leaveHalf = (): void => {
        half.space.leave(bytes)
        leave()
      }
      if (!(await all.enter(caller, bytes, exchange))) {
        leaveHalf()
        return undefined
      }
      return () => {
        all.leave(bytes)
        leaveHalf()
      }
    },
  }
}
