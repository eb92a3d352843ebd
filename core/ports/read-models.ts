import type { TE } from '../prelude.ts'
import type { Failure, Json } from '../failure.ts'

/**
 * The rows of projections, their checkpoints, and snapshots of organizations. Everything in it can be thrown away and
 * built again from the log.
 */
export interface ReadModels {
  /** How far a projection has come; 0 when it has seen nothing. */
  readonly checkpoint: (projection: string) => TE.TaskEither<Failure, bigint>
  /**
   * Writes rows and moves the checkpoint, in one transaction. Refused with `CONFLICT` when the checkpoint is not `from`:
   * somebody else moved it.
   */
  readonly move: (
    projection: string,
    from: bigint,
    to: bigint,
    changes: readonly RowChange[],
  ) => TE.TaskEither<Failure, void>
  /** One row's value. */
  readonly row: (projection: string, organization: string, key: string) => TE.TaskEither<Failure, Json | undefined>
  /** Rows of an organization, by `order`, newest (greatest) first unless `ascending`. */
  readonly rows: (
    projection: string,
    organization: string,
    selection: RowSelection,
  ) => TE.TaskEither<Failure, readonly Row[]>
  /** Removes a projection's rows and its checkpoint. */
  readonly drop: (projection: string) => TE.TaskEither<Failure, void>
  /** Names of the projections that have a checkpoint. */
  readonly projections: () => TE.TaskEither<Failure, readonly string[]>
  readonly saveSnapshot: (snapshot: Snapshot) => TE.TaskEither<Failure, void>
  readonly snapshot: (organization: string) => TE.TaskEither<Failure, Snapshot | undefined>
  readonly dropSnapshots: () => TE.TaskEither<Failure, void>
  readonly close: () => Promise<void>
}

export type Row = { readonly key: string; readonly order: bigint; readonly value: Json }

/**
 * A change to one row. `put` makes or replaces it; `merge` overwrites members of the object that is there, and does
 * nothing where there is none. `order` sorts rows; `facets` are short texts by which rows can be selected.
 */
export type RowChange =
  | {
      readonly _tag: 'put'
      readonly organization: string
      readonly key: string
      readonly order: bigint
      readonly facets: Facets
      readonly value: Json
    }
  | {
      readonly _tag: 'merge'
      readonly organization: string
      readonly key: string
      readonly facets: Facets
      readonly value: { readonly [member: string]: Json }
    }
  | { readonly _tag: 'delete'; readonly organization: string; readonly key: string }

/** Up to two texts by which a projection's rows can be selected; `merge` replaces those that it names. */
export type Facets = { readonly first?: string; readonly second?: string }

export type RowSelection = {
  readonly limit: number
  readonly ascending?: boolean
  /** Only rows that come after this one in the chosen direction, by `order`. */
  readonly after?: bigint
  /** Only rows whose facet is one of these. */
  readonly first?: readonly string[]
  readonly second?: readonly string[]
}

/** A fold of an organization's log up to a sequence, with what it takes to tell whether it still fits. */
export type Snapshot = {
  readonly organization: string
  readonly sequence: bigint
  /** SHA-256 of the last event's line, hex. */
  readonly hash: string
  /** The version of the reducers that made it. */
  readonly version: string
  readonly state: Uint8Array
}
