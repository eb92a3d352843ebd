import { CountersignError } from '../countersign-error.ts'
import { failure, type Failure } from '../failure.ts'
import { dataCodecs, type EventType } from '../log/event.ts'
import type { EventStore } from '../ports/event-store.ts'
import { latch, type Latch } from '../collections/latch.ts'
import { E, type TE } from '../prelude.ts'
import { feed, type Entry, type Positioned } from './feed.ts'
import type { OwnCommits } from './own-commits.ts'

/** Which events are followed, and from where to when. */
export type FollowOptions = {
  /**
   * `'start'` begins with the first event of the store, `'end'` with events that become durable after the call, a position with the
   * first event behind it. Default: `'end'`.
   */
  readonly after?: 'start' | 'end' | bigint
  /** Only events of this organization; default: of all. */
  readonly organization?: string
  /** Only events of these types; default: of all. */
  readonly types?: readonly EventType[]
  /** Ends the iteration. */
  readonly signal?: AbortSignal
}

export type IteratePorts = {
  readonly store: EventStore
  readonly commits: Pick<OwnCommits, 'listen'>
  /** When the engine closes. */
  readonly ending: Latch
  /** Turns an error that the store throws into a failure. */
  readonly guard: <A>(task: TE.TaskEither<Failure, A>) => TE.TaskEither<Failure, A>
}

/**
 * Gives events one by one: reads a page, and the next page when all events of it were taken. All events are read from the store,
 * although events of own commits are in memory: if a host changes an event, it must not change the one that other code uses.
 */
export const iterate = (
  { store, commits, ending, guard }: IteratePorts,
  { after = 'end', organization, types, signal }: FollowOptions,
): AsyncIterable<Positioned> => {
  const last = guard(store.lastPosition())() // read at the call, and not when the loop begins
  const events = async function* (over: Latch): AsyncGenerator<Positioned, undefined> {
    if (ending.isPast()) return
    const news = feed(store, { organization, types })
    let stirred = latch()
    const hear = (position: bigint): void => {
      news.hear(position)
      stirred.pass()
    }
    const look = async (): Promise<void> => {
      const position = await guard(store.lastPosition())()
      if (E.isRight(position)) hear(position.right)
    }
    const stops = [
      ending.when(over.pass),
      onAbort(signal, over.pass),
      commits.listen((_, last) => hear(last)),
      store.capabilities.soleWriter ? undefined : store.watch(() => void look()),
    ]
    try {
      const end = await over.unlessPast(last)
      if (end === undefined) return
      let at = beginning(end, after, types)
      news.lookAgain() // more may have come since the call
      for (;;) {
        stirred = latch()
        const page = news.hasMore(at) ? await over.unlessPast(guard(() => news.next(at))()) : await pause(over, stirred)
        if (over.isPast()) return
        if (page === undefined) continue
        if (E.isLeft(page)) throwFailure(page.left)
        else {
          for (const entry of page.right.entries) {
            yield readable(entry)
            if (over.isPast()) return
          }
          at = page.right.end
        }
      }
    } finally {
      for (const stop of stops) stop?.()
    }
  }
  return {
    [Symbol.asyncIterator]: () => {
      const over = latch()
      const generated = events(over)
      return {
        next: () => generated.next(),
        return: () => {
          over.pass() // without this, the generator would first wait for the next event
          return generated.return(undefined)
        },
      }
    },
  }
}

/** Waits until there may be more events, or until the iteration is over. */
const pause = async (over: Latch, stirred: Latch): Promise<undefined> => {
  await over.unlessPast(new Promise<void>((resolve) => void stirred.when(resolve)))
}

const beginning = (
  last: E.Either<Failure, bigint>,
  after: 'start' | 'end' | bigint,
  types: readonly EventType[] | undefined,
): bigint => {
  if (E.isLeft(last)) return throwFailure(last.left)
  for (const type of types ?? []) if (!Object.hasOwn(dataCodecs, type)) throwFailure(unknownType)
  if (after === 'start') return 0n
  if (after === 'end') return last.right
  return after < 0n || after > last.right ? throwFailure(beyond(last.right)) : after
}

const readable = (entry: Entry): Positioned => (entry.event === undefined ? throwFailure(unreadable(entry)) : entry)

const onAbort = (signal: AbortSignal | undefined, stop: () => void): (() => void) => {
  if (signal?.aborted === true) stop()
  signal?.addEventListener('abort', stop, { once: true })
  return () => signal?.removeEventListener('abort', stop)
}

const throwFailure = (cause: Failure): never => {
  throw new CountersignError(cause)
}

const unknownType = failure('CONFIGURATION_INVALID', 'types: expected types of events, such as ActivityCompleted')

const beyond = (last: bigint): Failure =>
  failure(
    'CONFIGURATION_INVALID',
    `after: expected a position from 0 to ${last}, where the store ends; it may have been put back from a backup`,
  )

const unreadable = ({ position, cause }: Extract<Entry, { readonly event: undefined }>): Failure => ({
  ...cause,
  message: `the event at position ${position}: ${cause.message}`,
})
