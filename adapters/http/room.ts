import type { Exchange } from './exchange.ts'

/**
 * Room for a number of bytes. If a request finds too little room, it waits, and callers take turns: for each request of a caller with a
 * thousand waiting requests, every other caller also has one let in. A request that needs more than all the room is let in when nobody
 * else is inside.
 */
export type Room = {
  /** Takes the bytes, if there is room for them and nobody waits. */
  readonly take: (bytes: number) => boolean
  /** Takes the bytes when it is the caller's turn and there is room. False if the exchange was over before that. */
  readonly enter: (caller: string, bytes: number, exchange: Exchange) => Promise<boolean>
  readonly leave: (bytes: number) => void
  readonly isWaitedFor: () => boolean
}

type Waiter = { readonly bytes: number; readonly letIn: () => void }

export const room = (bytesMax: number): Room => {
  const lines = new Map<string, Waiter[]>() // by caller, in the order of turns
  let taken = 0

  const isLeft = (bytes: number): boolean => taken === 0 || taken + bytes <= bytesMax

  const letInNext = (): void => {
    for (let next = lines.entries().next(); next.done !== true; next = lines.entries().next()) {
      const [caller, line] = next.value
      const [first] = line
      if (first !== undefined) {
        if (!isLeft(first.bytes)) return
        taken += first.bytes
        line.shift()
        first.letIn()
      }
      lines.delete(caller)
      if (line.length > 0) lines.set(caller, line) // the caller's next turn comes after everybody else's
    }
  }

  const enter: Room['enter'] = (caller, bytes, exchange) =>
    new Promise((resolve) => {
      const line = lines.get(caller) ?? []
      const giveUp = exchange.whenOver(() => {
        line.splice(line.indexOf(waiter), 1)
        if (line.length === 0) lines.delete(caller)
        resolve(false)
        letInNext() // the next in line may need less
      })
      const waiter: Waiter = {
        bytes,
        letIn: () => {
          giveUp()
          resolve(true)
        },
      }
      line.push(waiter)
      lines.set(caller, line)
    })

  const take = (bytes: number): boolean => {
    if (lines.size > 0 || !isLeft(bytes)) return false
    taken += bytes
    return true
  }

  return {
    take,
    enter: async (caller, bytes, exchange) => !exchange.isOver() && (take(bytes) || enter(caller, bytes, exchange)),
    leave: (bytes) => {
      taken -= bytes
      letInNext()
    },
    isWaitedFor: () => lines.size > 0,
  }
}
