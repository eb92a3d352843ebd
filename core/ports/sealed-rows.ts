import type { Failure } from '../failure.ts'
import type { TE } from '../prelude.ts'

/** Names a row. The organization is empty for rows that belong to the whole deployment; the id is never empty. */
export type SealedPlace = { readonly organization: string; readonly id: string }

/**
 * A secret as a store keeps it: the bytes are encrypted, and the store cannot open them. A row without a data key has nothing that is secret: it only
 * says that something was taken.
 */
export type SealedRow = SealedPlace & {
  /** What was sealed, such as `wallet`; of what came from outside, also which activity has brought it (`importedKind`). */
  readonly kind: string
  /** The data key under which the bytes are sealed, wrapped by the keystore. */
  readonly dataKey: string
  readonly bytes: Uint8Array
}

/** An id that was used and has no row any more. The id is empty where the whole organization is closed for rows. */
export type GonePlace = SealedPlace & { readonly isGone: true }

/**
 * Sealed rows, by organization and id. An id is used once: what was deleted never comes back, whoever still tries to write it. The methods fail
 * only where the store does.
 */
export interface SealedRows {
  /**
   * Stores a row. `there`: the id has a row already, which stays as it is. `gone`: the id was deleted, or its organization was closed. When the
   * task succeeds with `put`, the row is durable.
   */
  readonly put: (row: SealedRow) => TE.TaskEither<Failure, 'put' | 'there' | 'gone'>
  /** The row; `undefined` where there is none, or none any more. */
  readonly get: (place: SealedPlace) => TE.TaskEither<Failure, SealedRow | undefined>
  /**
   * Puts a row into the place of another one of the same organization and id, in one statement: only where the stored row still has the same
   * kind, data key and bytes. False where it has not.
   */
  readonly replace: (row: SealedRow, by: SealedRow) => TE.TaskEither<Failure, boolean>
  /**
   * Deletes a row and leaves its id, also where there was no row: from then on `put` answers `gone`. When the task succeeds, the bytes of the
   * row and of all its earlier forms are nowhere in the store's files.
   */
  readonly delete: (place: SealedPlace) => TE.TaskEither<Failure, void>
  /** As `delete`, for all rows of an organization, and closes it: from then on `put` of any id answers `gone`. */
  readonly deleteAll: (organization: string) => TE.TaskEither<Failure, void>
  /** Rows and gone places behind a place, in the order of organization and id by their UTF-8 bytes, at most so many. */
  readonly list: (
    after: SealedPlace | undefined,
    limit: number,
  ) => TE.TaskEither<Failure, readonly (SealedRow | GonePlace)[]>
}
