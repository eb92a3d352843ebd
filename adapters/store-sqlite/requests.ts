import type { Appended } from '../../core/ports/event-store.ts'
import type { Snapshot } from '../../core/ports/read-models.ts'
import type { PackedRows } from './pack-rows.ts'
import type { Packed } from './pack.ts'
import type { Done, Reason, Refused } from './reason.ts'

/** What the lane is asked to do, by name. */
export type Requests = {
  readonly append: { readonly packed: Packed }
  readonly erasePart: { readonly organization: string; readonly sequence: bigint; readonly part: string }
  readonly setImportedTo: { readonly position: bigint }
  readonly move: {
    readonly projection: string
    readonly from: bigint
    readonly to: bigint
    readonly changes: PackedRows
  }
  readonly drop: { readonly projection: string }
  readonly saveSnapshot: { readonly snapshot: Snapshot }
  readonly dropSnapshots: Record<never, never>
  readonly close: { readonly discard: Discard }
}

/**
 * What closing removes of the files that this opening has made: `nothing`; all of them unless an event is in the store
 * (`if-empty`); or `all` of them, whatever is in the store.
 */
export type Discard = 'nothing' | 'if-empty' | 'all'

export type RequestTag = keyof Requests
export type Request = { [Tag in RequestTag]: { readonly _tag: Tag } & Requests[Tag] }[RequestTag]

/** What each request is answered with. */
export type Answers = { readonly [Tag in Exclude<RequestTag, 'append'>]: void } & {
  readonly append: readonly Appended[]
}
export type Answer = Done<Answers[RequestTag]> | Refused

/** From the store to its worker. */
export type Asked = { readonly ticket: number; readonly request: Request }
/** From the worker to its store: how opening went, then answers, a group at a time. */
export type Told =
  | { readonly _tag: 'opened' }
  | { readonly _tag: 'not-opened'; readonly reason: Reason }
  | { readonly _tag: 'answered'; readonly answers: readonly { readonly ticket: number; readonly answer: Answer }[] }

export type LaneOptions = {
  readonly path: string
  readonly commitBytesMax: number
  readonly headsMax: number
  readonly firstPosition: bigint
  readonly firstSequence: bigint
}
