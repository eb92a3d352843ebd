import type { ActivityStanding, Appended, PartPlace } from '../../core/ports/event-store.ts'
import type { Snapshot, SnapshotPlace } from '../../core/ports/read-models.ts'
import type { SealedPlace, SealedRow } from '../../core/ports/sealed-rows.ts'
import type { PackedRows } from './pack-rows.ts'
import type { Packed } from './pack.ts'
import type { Done, Refused } from './reason.ts'

/** The requests to the writer, by name. */
export type Requests = {
  readonly append: { readonly packed: Packed }
  readonly eraseParts: { readonly organization: string; readonly parts: readonly PartPlace[] }
  readonly setImportedTo: { readonly position: bigint }
  readonly setStandings: { readonly standings: readonly ActivityStanding[]; readonly version: bigint }
  readonly move: {
    readonly projection: string
    readonly from: bigint
    readonly to: bigint
    readonly changes: PackedRows
  }
  readonly drop: { readonly projection: string }
  readonly saveSnapshot: {
    readonly snapshot: Snapshot
    readonly keeps: SnapshotPlace | undefined
    readonly drops: bigint
  }
  readonly dropSnapshot: { readonly organization: string }
  readonly dropSnapshots: Record<never, never>
  readonly putSealed: { readonly row: SealedRow }
  readonly replaceSealed: { readonly row: SealedRow; readonly by: SealedRow }
  readonly deleteSealed: { readonly place: SealedPlace }
  readonly deleteAllSealed: { readonly organization: string }
  /** Writes as many bytes beside the log, and removes what an earlier request of this kind wrote. */
  readonly tryWriting: { readonly bytes: number }
  readonly close: { readonly discard: Discard }
}

/**
 * Which of the files that this opening has made `close` removes: `nothing`; all of them unless the store has an event (`if-empty`); or
 * `all` of them in any case.
 */
export type Discard = 'nothing' | 'if-empty' | 'all'

export type RequestTag = keyof Requests
export type Request = { [Tag in RequestTag]: { readonly _tag: Tag } & Requests[Tag] }[RequestTag]

/** The type of the answer to each request. */
export type Answers = { readonly [Tag in Exclude<RequestTag, keyof OwnAnswers>]: void } & OwnAnswers
type OwnAnswers = {
  readonly append: readonly Appended[]
  readonly putSealed: 'put' | 'there' | 'gone'
  readonly replaceSealed: boolean
}
export type Answer = Done<Answers[RequestTag]> | Refused

/** A message from the store to its worker. */
export type Ticketed = { readonly ticket: number; readonly request: Request }
/** A message from the worker to its store: first the outcome of opening, then the answers of one group at a time. */
export type Told =
  | { readonly _tag: 'opened' }
  | { readonly _tag: 'not-opened'; readonly refused: Refused }
  | { readonly _tag: 'answered'; readonly answers: readonly { readonly ticket: number; readonly answer: Answer }[] }

export type WriterOptions = {
  readonly path: string
  readonly commitBytesMax: number
  readonly headsMax: number
  readonly firstPosition: bigint
  readonly firstSequence: bigint
}
