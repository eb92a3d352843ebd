import * as t from 'io-ts'
import { fields } from '../../codec/fields.ts'
import type { ErasedRequests } from '../../activity/erasure.ts'
import type { Failure } from '../../failure.ts'
import type { TE } from '../../prelude.ts'

export const Requests = t.keyof({ NAMING: null, MADE: null }, 'NAMING or MADE')

/** Parts of one name, with the sequences of their events: `3,5-9`. */
const ErasedParts = fields({ name: t.string, sequences: t.string })

export const erasedMembers = {
  erased: t.array(ErasedParts),
}

/** What an erasure has erased. */
export const Erased = fields(erasedMembers)
export type Erased = t.TypeOf<typeof Erased>

/** Whose data is erased. */
export type ToErase = {
  readonly organizationId: string
  readonly userId: string
  readonly requests: ErasedRequests
}

/** A place with personal data of a user. */
export type PersonalPlace = {
  readonly sequence: bigint
  readonly activityId: string
  /** The name of the part. */
  readonly part: string
}

/**
 * Finds and erases personal data. The engine itself has this service; an operation gets it by the port `countersign.erasing`.
 *
 * @see docs/decisions/039-a-person-is-erased.md
 */
export type Erasing = {
  /** Where the log has data of the user, in order; all that was durable before the call. */
  readonly find: (toErase: ToErase, signal?: AbortSignal) => TE.TaskEither<Failure, readonly PersonalPlace[]>
  /** Erases it from the store, from memory and from snapshots. To be repeated after a crash. */
  readonly erase: (toErase: ToErase, signal?: AbortSignal) => TE.TaskEither<Failure, Erased>
}

/** The name of the port with the engine's own service. */
export const ERASING = 'countersign.erasing'
