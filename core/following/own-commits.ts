import type { Event } from '../log/event.ts'
import type { StoreCapabilities } from '../ports/event-store.ts'
import type { Positioned } from './feed.ts'

/** Gives the events of this process's own commits to all followers, so that they need not read them from the store. */
export type OwnCommits = {
  /** @param last  the position of the last of the events of one commit, which just became durable */
  readonly offer: (events: readonly Event[], last: bigint) => void
  /** Returns a function that stops listening. */
  readonly listen: (listener: Listener) => () => void
}

/**
 * Called with events of one commit, in order, and the position of the last one. Where a store leaves gaps between positions, nobody here
 * knows the other ones, so the list is empty. It must not throw.
 */
export type Listener = (events: readonly Positioned[], last: bigint) => void

export const ownCommits = ({ gaplessPositions }: Pick<StoreCapabilities, 'gaplessPositions'>): OwnCommits => {
  const listeners = new Set<Listener>()
  return {
    offer: (events, last) => {
      if (listeners.size === 0) return
      const first = last - BigInt(events.length) + 1n
      const positioned = gaplessPositions
        ? events.map((event, index): Positioned => ({ event, position: first + BigInt(index) }))
        : NOWHERE
      for (const listener of listeners) listener(positioned, last)
    },
    listen: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

const NOWHERE: readonly Positioned[] = []
