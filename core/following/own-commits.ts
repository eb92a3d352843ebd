import type { Event } from '../log/event.ts'
import type { Positioned } from './feed.ts'

/** Gives the events of this process's own commits to all followers, so that they need not read them from the store. */
export type OwnCommits = {
  /** @param last  the position of the last of the events, which just became durable */
  readonly offer: (events: readonly Event[], last: bigint) => void
  /** Returns a function that stops listening. */
  readonly listen: (listener: Listener) => () => void
}

/** Called with events of one commit, in order. It must not throw. */
export type Listener = (events: readonly Positioned[]) => void

export const ownCommits = (): OwnCommits => {
  const listeners = new Set<Listener>()
  return {
    offer: (events, last) => {
      if (listeners.size === 0) return
      const first = last - BigInt(events.length) + 1n
      const positioned = events.map((event, index): Positioned => ({ event, position: first + BigInt(index) }))
      for (const listener of listeners) listener(positioned)
    },
    listen: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
