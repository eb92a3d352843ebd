import * as t from '../../codec/t.ts'
import type { ErasedRequests } from '../../activity/erasure.ts'
import type { Failure } from '../../failure.ts'
import type { TE } from '../../prelude.ts'

export const Requests = t.keyof({ NAMING: null, MADE: null })

/** A sequence as text. */
export const Sequence = t.refined(t.string, 'digits', (text) => /^(?:0|[1-9][0-9]{0,18})$/.test(text))

/**
 * A head of the organization's log, at or behind the deletion of the user or of the organization: the sequence of a line, and its hash.
 * Whoever asks for an erasure, and whoever approves it, stamps with it all that stood in the log: nobody can write anything else before it,
 * and say that it was erased.
 */
export const Head = t.fields({
  sequence: Sequence,
  hash: t.refined(t.string, 'a SHA-256 in lower-case hex', (text) => /^[0-9a-f]{64}$/.test(text)),
})
export type Head = t.TypeOf<typeof Head>

/** Parts of one name, with the sequences of their events: `3,5-9`. */
const ErasedParts = t.fields({ name: t.string, sequences: t.string })

const erasedMembers = {
  erased: t.array(ErasedParts),
}

/** What an erasure has erased. */
export const Erased = t.fields(erasedMembers)
export type Erased = t.TypeOf<typeof Erased>

/**
 * The change of an erasure. `subOrganizationId`: the user is one of that organization, and not of this one. `providerIds`: of a user who was still
 * there, because the organization has ended.
 */
export const ErasureChange = t.fields(
  { userId: t.string, requests: Requests, ...erasedMembers },
  { subOrganizationId: t.string, providerIds: t.array(t.string) },
)

/** Whose data is erased. */
export type ToErase = {
  readonly organizationId: string
  readonly userId: string
  readonly requests: ErasedRequests
}

/** What is erased, and the head of the log that the request names. */
export type ErasureAsked = ToErase & { readonly head: Head }

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
 * @see docs/decisions/erasing.md
 */
export type Erasing = {
  /** Where the log has data of the user, in order; all that was durable before the call. */
  readonly find: (toErase: ToErase, signal?: AbortSignal) => TE.TaskEither<Failure, readonly PersonalPlace[]>
  /**
   * Erases it from the store, from memory and from snapshots. To be repeated after a crash. `UNAVAILABLE`, with nothing erased, as long as an
   * activity with such a request has started and not ended. Fails if the log does not have the head, or if
   * an activity went on behind it.
   */
  readonly erase: (toErase: ErasureAsked, signal?: AbortSignal) => TE.TaskEither<Failure, Erased>
}

/** The name of the port with the engine's own service. */
export const ERASING = 'countersign.erasing'
