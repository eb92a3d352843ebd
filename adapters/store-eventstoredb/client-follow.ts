import type { Connection } from './client-connection.ts'
import { errorOf, type Followed } from './client-thread.ts'
import { LogClientError, type Following, type FollowFrom, type FollowListener } from './log-client.ts'
import { unpackStored, type Packed } from './worker-pack.ts'
import type { Step } from './worker-messages.ts'

/**
 * Gives a listener what a subscription tells, one thing after the other. The thread hears when the listener has taken a message; until
 * then it keeps the next ones back, and reads the server no further when it has enough.
 */
export const followThrough = (connection: Connection, from: FollowFrom, listener: FollowListener): Following => {
  let hasEnded = false
  let followed: Followed | undefined
  let turn: Promise<void> = Promise.resolve()

  const drop = (error: LogClientError): void => {
    if (hasEnded) return
    hasEnded = true
    listener.onDropped(error)
  }
  const give = async (steps: readonly Step[], packed: Packed): Promise<void> => {
    const events = unpackStored(packed)
    let next = 0
    for (const step of steps) {
      if (hasEnded) return
      if (typeof step === 'number') await listener.onEvents(events.slice(next, (next += step)))
      else if (step === 'caught-up') listener.onCaughtUp()
      else listener.onCheckpoint?.(step)
    }
    followed?.taken()
  }
  const failed = (error: unknown): void => {
    followed?.stop()
    drop(error instanceof LogClientError ? error : new LogClientError({ _tag: 'unavailable' }, LISTENER))
  }

  const begin = async (): Promise<void> => {
    followed = await connection.follow(
      { _tag: 'follow', from },
      {
        followed: (steps, packed) => void (turn = turn.then(() => give(steps, packed)).catch(failed)),
        // What came before is given first.
        dropped: (refused) => void (turn = turn.then(() => drop(errorOf(refused)))),
      },
    )
    if (hasEnded) followed.stop()
  }
  begin().catch(failed)

  return {
    stop: async () => {
      hasEnded = true
      followed?.stop()
    },
  }
}

const LISTENER = 'the listener of the subscription has failed'
