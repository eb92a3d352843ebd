import type { FollowFrom, LogClient, StoredEvent } from './log-client.ts'

/**
 * Passes events up to the end of the log, as it is when it is reached.
 *
 * @param take  gets them in their order; true if that is enough
 */
export const followToEnd = (
  client: Pick<LogClient, 'follow'>,
  from: FollowFrom,
  take: (events: readonly StoredEvent[]) => boolean,
): Promise<void> =>
  new Promise((resolve, reject) => {
    let hasEnded = false
    const end = (): void => {
      hasEnded = true
      // A turn later: it may be told of the end before it is here.
      queueMicrotask(() => void following.stop())
      resolve()
    }
    const following = client.follow(from, {
      onEvents: (events) => {
        if (!hasEnded && take(events)) end()
      },
      onCaughtUp: end,
      onDropped: reject,
    })
  })
