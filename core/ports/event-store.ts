import type { TE } from '../prelude.ts'
import type { Failure } from '../failure.ts'

/**
 * Where logs are kept. A store keeps bytes: it never parses a line, and what it hands out is byte for byte what it was
 * given. Numbers start at 1, and 0 means "before the first": a *sequence* counts an organization's events, a *revision*
 * an activity's, a *position* the store's. Sequences and revisions have no gaps; positions only increase.
 *
 * @see docs/explanation/one-commit-one-log.md
 */
export interface EventStore {
  readonly capabilities: StoreCapabilities
  /**
   * Appends each commit to its organization's log: whole, or not at all. Commits stand in the order given; one that is
   * refused falls out together with those of its organization that expected what it would have written; the rest stands.
   * When the task succeeds, everything that it calls committed survives a crash of process and machine.
   *
   * @returns per commit, in order, what became of it. `UNAVAILABLE` when the store cannot tell: the commits may be
   *   there or not, and appending them again (same event ids) finds out.
   */
  readonly append: (commits: readonly Commit[]) => TE.TaskEither<Failure, readonly Appended[]>
  /** An organization's events with a sequence greater than `after`, in order; at most `limit`. */
  readonly readLog: (
    organization: string,
    after: bigint,
    limit: number,
    options?: ReadOptions,
  ) => TE.TaskEither<Failure, readonly Recorded[]>
  /** All events of one activity, with their parts, in order of revision. Empty when there is none. */
  readonly readActivity: (organization: string, activity: string) => TE.TaskEither<Failure, readonly Recorded[]>
  /** Events of all organizations with a position greater than `after`, in order; at most `limit`. */
  readonly readAll: (after: bigint, limit: number, options?: ReadOptions) => TE.TaskEither<Failure, readonly Recorded[]>
  /** The last event of an organization's log; `undefined` when the organization has none. */
  readonly head: (organization: string) => TE.TaskEither<Failure, Head | undefined>
  /** The position of the last event of the store; 0 when it is empty. */
  readonly lastPosition: () => TE.TaskEither<Failure, bigint>
  /** Organization ids greater than `after` in the order of their text; at most `limit`. */
  readonly organizations: (after: string, limit: number) => TE.TaskEither<Failure, readonly string[]>
  /** Calls `onAppended` after commits of this process became durable, or when another process's were noticed. Returns the way to stop. */
  readonly watch: (onAppended: () => void) => () => void
  /** The position up to which the log was written elsewhere and imported; 0 where none of it was. */
  readonly importedTo: () => TE.TaskEither<Failure, bigint>
  /**
   * Keeps that position in place of the one before, durable when the task succeeds. It stands beside the log, and is no read
   * model: nothing else says it, so nothing could build it again.
   */
  readonly setImportedTo: (position: bigint) => TE.TaskEither<Failure, void>
  /** Removes the bytes of a part, for ever. The line that names it stays, and so do all hashes. */
  readonly erasePart: (organization: string, sequence: bigint, part: string) => TE.TaskEither<Failure, void>
  /** Finishes what is under way, then lets go of files, connections, timers and threads. */
  readonly close: () => Promise<void>
}

/** What `importedTo` says while an import is under way, and for ever where it did not finish. */
export const IMPORT_UNFINISHED = 2n ** 63n - 1n

export type ReadOptions = {
  /** Whether the events' parts are wanted; default true. Without them a store may answer with none, which is half the work. */
  readonly parts?: boolean
  /**
   * Ends the page soon behind the event with which it has so many bytes of lines and parts: then a page that is shorter than its
   * limit is not the last one. A store may ignore it. Default: no bound.
   */
  readonly bytesMax?: number
}

/** Only the lines: all that a fold needs. */
export const LINES: ReadOptions = { parts: false }

export type StoreCapabilities = {
  /** Refuses to be opened for writing twice. */
  readonly soleWriter: boolean
  /** What it acknowledged survives the end of the process. */
  readonly durable: boolean
  /** Recognizes a commit that it has already, whatever sequence is expected, for as long as it lives. */
  readonly remembersIds: boolean
}

/** One organization's events, to be appended together. */
export type Commit = {
  readonly organization: string
  /** The sequence of the last event that the writer knows; `'none'` for a log that must not exist, `'any'` for no check. */
  readonly expected: 'none' | 'any' | bigint
  readonly events: readonly NewEvent[]
  /** Other organizations whose state was read, with the sequence that it had: all must still hold. */
  readonly checks: readonly { readonly organization: string; readonly sequence: bigint }[]
}

export type NewEvent = {
  /** Unique in the store; random for each commit, and stable over its retries. */
  readonly id: string
  readonly activity: string
  /** The next revision of the activity's stream. */
  readonly revision: bigint
  /** The event's bytes, without a line feed. */
  readonly line: Uint8Array
  readonly parts: readonly Part[]
}

/** Bytes that belong to an event and can be erased; the event names them by SHA-256(salt ‖ bytes). */
export type Part = {
  readonly name: string
  /** 32 random bytes. */
  readonly salt: Uint8Array
  readonly bytes: Uint8Array
}

export type Recorded = {
  readonly position: bigint
  readonly organization: string
  readonly sequence: bigint
  readonly activity: string
  readonly revision: bigint
  readonly id: string
  readonly line: Uint8Array
  /** Those that are still there. */
  readonly parts: readonly Part[]
}

export type Head = { readonly sequence: bigint; readonly position: bigint; readonly line: Uint8Array }

export type Appended =
  /** `sequence` and `position` are those of the commit's last event. */
  | { readonly _tag: 'committed'; readonly sequence: bigint; readonly position: bigint }
  /** The very same events are there already; the numbers are the original ones. */
  | { readonly _tag: 'duplicate'; readonly sequence: bigint; readonly position: bigint }
  /** Some of the commit's event ids are known, but not all, or not in this order; nothing was written. */
  | { readonly _tag: 'partial-duplicate' }
  /** The log does not end where the commit expects it to; the numbers are the actual ones. */
  | { readonly _tag: 'conflict'; readonly sequence: bigint; readonly position: bigint }
  /** An activity's stream has this revision already, or does not end right before it. */
  | { readonly _tag: 'revision-conflict'; readonly activity: string; readonly revision: bigint }
  /** Organizations whose logs have moved past what was read. */
  | {
      readonly _tag: 'check-failed'
      readonly organizations: readonly { readonly organization: string; readonly sequence: bigint }[]
    }
  /** An event or the whole commit is larger than the store takes. */
  | { readonly _tag: 'too-large'; readonly bytes: number; readonly bytesMax: number }
  /** Empty, or with a name that the store cannot keep. */
  | { readonly _tag: 'invalid'; readonly reason: string }
