import type { EventStore } from '../ports/event-store.ts'
import { E } from '../prelude.ts'
import { PAGE } from './feed.ts'
import type { Inside } from './inside.ts'
import type { Listener, OwnCommits } from './own-commits.ts'

/** Listens for new events. A sole writer offers all of them; of other processes the store only tells that there are new events. */
export const listen = (
  on: Inside,
  store: Pick<EventStore, 'capabilities' | 'watch'>,
  commits: Pick<OwnCommits, 'listen'> | undefined,
): (() => void) => {
  const ends = [
    commits?.listen(offering(on)),
    store.capabilities.soleWriter ? undefined : store.watch(() => void hear(on)),
  ]
  return () => ends.forEach((end) => end?.())
}

/** Takes events that became durable in this process. */
export const offering =
  ({ events, holder, waiting, working }: Inside): Listener =>
  (offered, last) => {
    events.hear(last)
    if (!holder.isHere()) return
    events.offer(offered)
    if (!waiting.isEmpty() || events.kept() >= PAGE) working.wake()
    else working.wakeSoon() // while nobody waits, a busy process moves the checkpoint only a few times
  }

const hear = async (on: Inside): Promise<void> => {
  const before = on.at.checkpoint()
  const position = await on.store.lastPosition()()
  if (E.isRight(position)) on.events.hear(position.right)
  if (E.isRight(position) && position.right < before) on.isLost = true
  on.working.wake()
}
