import type { Failure } from '../failure.ts'
import { decodeEvent, type Event } from '../log/event.ts'
import { FIRST_LINE, type EventStore } from '../ports/event-store.ts'
import { E } from '../prelude.ts'

/** The type of an event's activity. Its first event has it, and the one that completes it. */
export const typeOf = async (
  store: Pick<EventStore, 'readActivity'>,
  event: Event,
): Promise<E.Either<Failure, string>> => {
  if (event.type === 'ActivityCreated' || event.type === 'ActivityCompleted') return E.right(event.data.type)
  const read = await store.readActivity(event.organization, event.activity, FIRST_LINE)()
  if (E.isLeft(read)) return read
  const [first] = read.right
  const created = first && decodeEvent(first.line)
  if (created === undefined) return E.right('')
  return E.map((one: Event) => (one.type === 'ActivityCreated' ? one.data.type : ''))(created)
}
