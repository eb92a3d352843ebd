import type { Failure } from '../failure.ts'
import type { Event, EventType } from '../log/event.ts'
import { noParts, type Parts } from '../log/parts.ts'
import type { RowChange } from '../ports/read-models.ts'
import { rowChanges } from '../ports/row-changes.ts'
import { E } from '../prelude.ts'
import type { Positioned } from './feed.ts'

/**
 * Handles one event. Returns changes of the follower's rows, at once or later. A failure says that it cannot go on now: the same event
 * is given to it again later. If it throws or rejects, the event is tried again a few times; then its organization is parked.
 *
 * @param signal  aborted when the follower closes
 * @param parts  the parts of the event, without its request; empty if the follower does not read parts
 */
export type Handle = (
  event: Event,
  position: bigint,
  signal: AbortSignal,
  parts: Parts,
) => readonly RowChange[] | Promise<E.Either<Failure, readonly RowChange[]>>

/** How a follower handles events, and which. */
export type Handling = {
  readonly name: string
  readonly handle: Handle
  readonly types?: readonly EventType[] | undefined
  /** Whether to read the parts of the events, too. Default: true. */
  readonly parts?: boolean | undefined
}

/** What comes of handling an event. It has thrown, too, where it returned changes that no store can keep. */
export type Handled = E.Either<Failure, readonly RowChange[]> | Thrown
export type Thrown = { readonly _tag: 'threw'; readonly thrown: unknown }

/** Handles an event. The outcome is a promise only if `handle` returned one: to wait for each event would take long. */
export const handled = (
  handle: Handle,
  { event, position, parts = noParts }: Positioned,
  signal: AbortSignal,
): Handled | Promise<Handled> => {
  try {
    const given = handle(event, position, signal, parts)
    return given instanceof Promise ? awaited(given) : E.right(given)
  } catch (cause) {
    return threw(cause)
  }
}

const awaited = async (given: Promise<E.Either<Failure, readonly RowChange[]>>): Promise<Handled> => {
  try {
    return E.map(rowChanges)(await given)
  } catch (cause) {
    return threw(cause)
  }
}

export const threw = (thrown: unknown): Thrown => ({ _tag: 'threw', thrown })
