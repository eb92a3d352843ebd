import type { AllPage, ExpectedEnd, FollowFrom, StreamPage, Trouble } from './log-client.ts'
import type { Target } from './url.ts'
import type { Packed } from './worker-pack.ts'

/** What a thread is started with. */
export type WorkerOptions = {
  readonly target: Target
  /** A stream that the user of the store may write to. */
  readonly checkStream: string
  /** Whether the user need not be allowed to do so. */
  readonly readOnly: boolean
  /** How long finding the leader may take, in ms. */
  readonly connectTimeoutMs: number
  /** The ids of the first events of the log, if the process has reached it before. */
  readonly firstIds: readonly string[] | undefined
}

/**
 * The requests to the thread, by name. The events of an append are the next so many in the packed ones of its message; those that go before,
 * each to a stream of its own, stand before them.
 */
export type Request =
  | {
      readonly _tag: 'append'
      readonly stream: string
      readonly expected: ExpectedEnd
      readonly count: number
      readonly first: readonly string[]
    }
  | { readonly _tag: 'positions'; readonly stream: string; readonly from: bigint; readonly count: number }
  | { readonly _tag: 'readStream'; readonly stream: string; readonly page: StreamPage }
  | { readonly _tag: 'readAll'; readonly page: AllPage }
  | { readonly _tag: 'tombstone'; readonly stream: string }
  | { readonly _tag: 'deleteSoftly'; readonly stream: string; readonly last: bigint }
  | { readonly _tag: 'checkLeader'; readonly stream: string }
  | { readonly _tag: 'follow'; readonly from: FollowFrom }

/** A message to the thread. */
export type ToWorker =
  | {
      readonly _tag: 'asked'
      readonly requests: readonly { readonly ticket: number; readonly request: Request }[]
      readonly packed: Packed
    }
  /** Nobody waits for it any more: a read is ended, a subscription is stopped. */
  | { readonly _tag: 'forget'; readonly ticket: number }
  /** The listener has taken one message of its subscription. */
  | { readonly _tag: 'taken'; readonly ticket: number }
  | { readonly _tag: 'close' }

/** A message from the thread: first the outcome of connecting, then answers. */
export type FromWorker =
  | { readonly _tag: 'connected'; readonly firstIds: readonly string[] }
  | { readonly _tag: 'not-connected'; readonly refused: Refused }
  | { readonly _tag: 'answered'; readonly answers: readonly Answered[] }
  | { readonly _tag: 'followed'; readonly ticket: number; readonly steps: readonly Step[]; readonly packed: Packed }
  | { readonly _tag: 'dropped'; readonly ticket: number; readonly refused: Refused }
  /** The connection has ended: what is under way may still be answered, and nothing more is taken. */
  | { readonly _tag: 'lost' }

export type Answered = { readonly ticket: number; readonly answer: Answer }

export type Answer =
  | { readonly _tag: 'appended'; readonly revision: bigint; readonly position: bigint }
  | { readonly _tag: 'read'; readonly packed: Packed | 'missing' | 'deleted' }
  | { readonly _tag: 'placed'; readonly positions: BigUint64Array }
  | { readonly _tag: 'done' }
  | Refused

/** What a subscription tells, in its order: that so many of the packed events came, that it has caught up, or a checkpoint. */
export type Step = number | 'caught-up' | bigint

export type Refused = {
  readonly _tag: 'refused'
  readonly trouble: Trouble
  readonly message: string
  /** The connection, or the thread, and not the request was the reason: the same request may succeed over another one. */
  readonly isLost?: boolean
}
