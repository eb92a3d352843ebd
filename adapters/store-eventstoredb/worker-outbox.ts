import type { StoredEvent } from './log-client.ts'
import { buffersOf, packStored, type Packed } from './worker-pack.ts'
import type { Refused, Step } from './worker-messages.ts'

/** Where a subscription tells what it gets. */
export type Tell = {
  readonly steps: (steps: readonly Step[], packed: Packed, transfer: readonly ArrayBuffer[]) => void
  readonly dropped: (refused: Refused) => void
}

/** What is on its way to a listener. */
export type Outbox = {
  /** Whether there is room for more; if not, `onRoom` is called when there is. */
  readonly add: (event: StoredEvent) => boolean
  readonly mark: (step: 'caught-up' | bigint) => void
  /** The listener has taken one message. */
  readonly taken: () => void
  /** Sends what is there, and then the reason why there is no more. */
  readonly drop: (refused: Refused) => void
  /** Sends nothing more. */
  readonly end: () => void
  readonly hasEnded: () => boolean
}

/** The most that one message has, and how many messages the listener may be behind. */
const EVENTS_MAX = 512
const BYTES_MAX = 1024 * 1024
const MESSAGES_MAX = 2

export const outbox = (tell: Tell, onRoom: () => void): Outbox => {
  let steps: Step[] = []
  let events: StoredEvent[] = []
  let bytes = 0
  /** How many of the events `steps` does not tell yet. */
  let run = 0
  let untaken = 0
  let isFlushing = false
  let hasEnded = false

  const isFull = (): boolean => events.length >= EVENTS_MAX || bytes >= BYTES_MAX
  const closeRun = (): void => {
    if (run > 0) steps.push(run)
    run = 0
  }
  const send = (): void => {
    closeRun()
    if (steps.length === 0) return
    const packed = packStored(events)
    untaken++
    tell.steps(steps, packed, buffersOf(packed))
    steps = []
    events = []
    bytes = 0
  }
  const flush = (): void => {
    isFlushing = false
    if (hasEnded || untaken >= MESSAGES_MAX) return
    const wasFull = isFull()
    send()
    if (wasFull) onRoom()
  }
  const soon = (): void => {
    if (isFlushing) return
    isFlushing = true
    setImmediate(flush)
  }

  return {
    add: (event) => {
      events.push(event)
      bytes += event.data.byteLength + event.metadata.byteLength
      run++
      soon()
      return !isFull()
    },
    mark: (step) => {
      closeRun()
      steps.push(step)
      soon()
    },
    taken: () => {
      untaken--
      flush()
    },
    drop: (refused) => {
      if (hasEnded) return
      send()
      hasEnded = true
      tell.dropped(refused)
    },
    end: () => (hasEnded = true),
    hasEnded: () => hasEnded,
  }
}
