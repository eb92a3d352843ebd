import type { Recorded } from '../../core/ports/event-store.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { right, until } from './expect.ts'

export type ConsumerOptions = {
  readonly name: string
  readonly batch: number
  /** Which events get a row; the checkpoint moves over the others. */
  readonly isWanted?: (event: Recorded) => boolean
  readonly onBatch?: (events: readonly Recorded[]) => Promise<void>
}

/** A minimal follower of a store, for the cases about feeds and checkpoints; not for production. */
export const consumer = (
  { store, readModels }: Storage,
  { name, batch, isWanted = () => true, onBatch }: ConsumerOptions,
) => {
  const seen: string[] = []
  const state = { caughtUp: 0, hasNews: true, isStopping: false, wake: () => {} }

  const run = async (): Promise<void> => {
    const stopWatching = store.watch(() => {
      state.hasNews = true
      state.wake()
    })
    let at = await right(readModels.checkpoint(name))
    while (!state.isStopping) {
      state.hasNews = false
      const events = await right(store.readAll(at, batch))
      const last = events.at(-1)
      if (last !== undefined) {
        await onBatch?.(events)
        await right(readModels.move(name, at, last.position, events.filter(isWanted).map(row)))
        seen.push(...events.filter(isWanted).map(({ id }) => id))
        at = last.position
      } else if (!state.hasNews && !state.isStopping) {
        state.caughtUp++
        await new Promise<void>((resolve) => {
          state.wake = resolve
        })
      }
    }
    stopWatching()
  }

  const running = run()
  return {
    seen,
    caughtUp: () => state.caughtUp,
    /** Finishes the batch that is under way. */
    stop: async () => {
      state.isStopping = true
      state.wake()
      await running
    },
    /** Waits until it has reached the present end of the store. */
    behindNothing: async () => {
      const goal = await right(store.lastPosition())
      await until(async () => (await right(readModels.checkpoint(name))) >= goal)
    },
  }
}

const row = ({ id, position }: Recorded) =>
  ({ _tag: 'put', organization: 'all', key: id, order: position, facets: {}, value: { id } }) as const
