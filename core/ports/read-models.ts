import type { TE } from '../prelude.ts'
import type { Failure, Json } from '../failure.ts'

/**
 * The rows of projections, their checkpoints, and snapshots of organizations. Everything in it can be thrown away and built again from the
 * log, but for deliveries of webhooks that wait: who needs them again asks for it.
 *
 * In place of an organization's id, a follower may use names of its own for rows that belong to none, such as `!parked`: they begin with an
 * exclamation mark, which no id does.
 */
export interface ReadModels {
  /** The position up to which a projection has taken events; 0 if it has taken none. */
  readonly checkpoint: (projection: string) => TE.TaskEither<Failure, bigint>
  /**
   * Writes rows and moves the checkpoint, in one transaction. Fails with `CONFLICT` if the checkpoint is not `from`: then somebody
   * else has moved it.
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
  /**
   * Calls `onMoved` after a checkpoint was moved, by whichever process, until the returned function is called. It may be called too often, and
   * need not be called for each move: whoever waits for a checkpoint looks by itself now and then. A store that lacks it is looked at more often.
   */
  readonly watch?: ((onMoved: () => void) => () => void) | undefined
  /** Names of the projections that have a checkpoint. */
  readonly projections: () => TE.TaskEither<Failure, readonly string[]>
  /**
   * Writes a snapshot in one transaction. An organization has one snapshot of each version, and at most two: if there is one of a third
   * version, the one that was saved longest ago goes.
   *
   * @param keeps  the stored snapshot of this version that the new one continues: it keeps the parts that the new one does not name.
   *   Fails with `CONFLICT` if another snapshot of this version is stored, or none. Without `keeps`, the new snapshot replaces the stored one
   * @param drops  what `snapshotDrops` gave before the first event was read from which the snapshot was made; default 0. Fails with `CONFLICT`
   *   if it gives something else now: the snapshot may have what was erased since. The comparison and the write are one step
   */
  readonly saveSnapshot: (snapshot: Snapshot, keeps?: SnapshotPlace, drops?: bigint) => TE.TaskEither<Failure, void>
  /** The snapshot of the version, or else the one that was saved last. @param version  default: the one that was saved last */
  readonly snapshot: (organization: string, version?: string) => TE.TaskEither<Failure, Snapshot | undefined>
  /**
   * Removes the snapshots of one organization, for ever: when the task succeeds, their bytes and those of all earlier ones are nowhere in
   * the store's files, and no process saves another one that was made from events that it read before. It is no failure if there is none.
   */
  readonly dropSnapshot: (organization: string) => TE.TaskEither<Failure, void>
  /** How often `dropSnapshot` has removed the snapshots of the organization. `dropSnapshots` does not change it. */
  readonly snapshotDrops: (organization: string) => TE.TaskEither<Failure, bigint>
  readonly dropSnapshots: () => TE.TaskEither<Failure, void>
  readonly close: () => Promise<void>
}

export type Row = { readonly key: string; readonly order: bigint; readonly value: Json }

/**
 * A change of one row. `put` makes or replaces the row. `merge` overwrites members of an existing row's object, and does nothing if
 * there is no row. Rows are sorted by `order`; `facets` are short texts by which rows can be selected.
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
  readonly ascending?: boolean | undefined
  /** Only rows that come after this one in the chosen direction, by `order`. */
  readonly after?: bigint | undefined
  /** Only rows whose facet is one of these. */
  readonly first?: readonly string[] | undefined
  readonly second?: readonly string[] | undefined
}

/** The states of an organization at a sequence of its log. `hash` and `version` tell whether the snapshot still fits. */
export type Snapshot = {
  readonly organization: string
  readonly sequence: bigint
  /** SHA-256 of the last event's line, hex. */
  readonly hash: string
  /** The version of the code that made it: what other code makes of the same events may have another form. */
  readonly version: string
  /** The states, in the order of their names. */
  readonly parts: readonly SnapshotPart[]
}

/** One state of a snapshot, by its name. */
export type SnapshotPart = { readonly name: string; readonly version: number; readonly bytes: Uint8Array }

/** Identifies a snapshot among those of an organization and a version. */
export type SnapshotPlace = Pick<Snapshot, 'sequence' | 'hash'>
