import type { TE } from '../prelude.ts'
import type { Failure } from '../failure.ts'

/**
 * Keeps the logs. A store keeps bytes: it never parses a line, and gives back exactly the bytes that it got. Numbers start at 1, and
 * 0 means "before the first": a *sequence* counts the events of an organization, a *revision* those of an activity, a *position*
 * those of the store. Sequences and revisions have no gaps; positions only increase.
 *
 * @see docs/explanation/one-commit-one-log.md
 */
export interface EventStore {
  readonly capabilities: StoreCapabilities
  /**
   * Appends each commit to its organization's log: whole, or not at all. Commits are appended in the given order. If one is refused,
   * later commits of its organization that expect its events are refused, too; the others are appended. When the task succeeds, every
   * commit with the outcome `committed` survives a crash of process and machine.
   *
   * @returns per commit, in order, its outcome. `UNAVAILABLE` if the store does not know the outcome: the commits may be stored or
   *   not, and appending them again (same event ids) finds out.
   */
  readonly append: (commits: readonly Commit[]) => TE.TaskEither<Failure, readonly Appended[]>
  /** An organization's events with a sequence greater than `after`, in order; at most `limit`. */
  readonly readLog: (
    organization: string,
    after: bigint,
    limit: number,
    options?: ReadOptions,
  ) => TE.TaskEither<Failure, readonly Recorded[]>
  /** All events of one activity, in order of revision. Empty if there is none. */
  readonly readActivity: (
    organization: string,
    activity: string,
    options?: ReadOptions,
  ) => TE.TaskEither<Failure, readonly Recorded[]>
  /** Events of all organizations with a position greater than `after`, in order; at most `limit`. */
  readonly readAll: (after: bigint, limit: number, options?: ReadOptions) => TE.TaskEither<Failure, readonly Recorded[]>
  /** The organization's activities that have a standing and fit the selection, in the order of their first events. */
  readonly activities: (
    organization: string,
    selection: ActivitySelection,
  ) => TE.TaskEither<Failure, readonly ListedActivity[]>
  /** Activities of all organizations with the status `PENDING` and a first event behind the position `after`, in order; at most `limit`. */
  readonly pending: (after: bigint, limit: number) => TE.TaskEither<Failure, readonly ListedActivity[]>
  /**
   * Replaces standings, and the version of all of them; durable when the task succeeds. Activities without events are left out. Pass the
   * version 0 until the last call of a rebuild.
   */
  readonly setStandings: (standings: readonly ActivityStanding[], version: bigint) => TE.TaskEither<Failure, void>
  /** The version that `setStandings` set last; 0 before. */
  readonly standingsVersion: () => TE.TaskEither<Failure, bigint>
  /** The last event of an organization's log; `undefined` if the organization has none. */
  readonly head: (organization: string) => TE.TaskEither<Failure, Head | undefined>
  /** The position of the last event of the store; 0 if it is empty. */
  readonly lastPosition: () => TE.TaskEither<Failure, bigint>
  /** Organization ids greater than `after` in the order of their text; at most `limit`. */
  readonly organizations: (after: string, limit: number) => TE.TaskEither<Failure, readonly string[]>
  /**
   * Calls `onAppended` after commits of this process became durable, and when the store notices commits of another process. Returns a
   * function that stops it.
   */
  readonly watch: (onAppended: () => void) => () => void
  /** The position up to which the log was written elsewhere and imported; 0 if nothing was imported. */
  readonly importedTo: () => TE.TaskEither<Failure, bigint>
  /**
   * Replaces the imported position; durable when the task succeeds. It is stored beside the log, and is no read model, because it
   * cannot be computed from anything else.
   */
  readonly setImportedTo: (position: bigint) => TE.TaskEither<Failure, void>
  /**
   * Removes the bytes of these parts, for ever: when the task succeeds, they are nowhere in the store's files. The lines that name the
   * parts stay, and so do all hashes. A part that is not there is no failure, so a call that failed can be made again. A store may erase
   * very many parts in several transactions, one after the other.
   */
  readonly eraseParts: (organization: string, parts: readonly PartPlace[]) => TE.TaskEither<Failure, void>
  /**
   * Finds out whether the store takes writes now: writes something beside the log that is larger than most commits, makes it durable and
   * removes it. Fails as `append` would. The engine calls it after an append failed, every few seconds until it goes well.
   */
  readonly checkWritable: () => TE.TaskEither<Failure, void>
  /** Finishes running calls, then closes files, connections, timers and threads. */
  readonly close: () => Promise<void>
}

/** The value of `importedTo` during an import, and for ever if the import did not finish. */
export const IMPORT_UNFINISHED = 2n ** 63n - 1n

export type ReadOptions = {
  /**
   * Which parts of the events to read; default `true`, all of them. If `false`, a store may leave them out, which halves the work. With a
   * list, it gives exactly the parts that the list selects, and reads the bytes of no others: an entry selects the part of this name, and
   * an entry that ends in `:` or `.` selects all parts whose names begin with it. `selectsPart` tells which those are.
   */
  readonly parts?: boolean | readonly string[]
  /**
   * Ends the page soon after its lines and parts have reached this number of bytes. Then a page with fewer events than its limit may
   * not be the last one. A store may ignore it. Default: no bound.
   */
  readonly bytesMax?: number
}

/** Reads only the lines: a fold needs no more. */
export const LINES: ReadOptions = { parts: false }

/** Reads the first line, and not many more. */
export const FIRST_LINE: ReadOptions = { ...LINES, bytesMax: 1 }

export type StoreCapabilities = {
  /** The store refuses to be opened for writing twice. */
  readonly soleWriter: boolean
  /** Acknowledged commits survive the end of the process. */
  readonly durable: boolean
  /** The store recognizes every commit that it has, with any expected sequence, as long as the store exists. */
  readonly remembersIds: boolean
  /** A commit that the store has already is told as `duplicate`; otherwise it may be told as `committed`, with the original numbers. */
  readonly tellsDuplicates: boolean
  /** The positions of the events of one commit follow each other without a gap. */
  readonly gaplessPositions: boolean
  /** The commits of one call have positions in the order in which they were given, across organizations, too. */
  readonly ordersCommits: boolean
  /** The checks of a commit hold in the moment in which it is appended, and not only shortly before. */
  readonly checksWithAppend: boolean
}

/** One organization's events, to be appended together. */
export type Commit = {
  readonly organization: string
  /** The sequence of the last event that the writer knows; `'none'` if the log must not exist, `'any'` for no check. */
  readonly expected: 'none' | 'any' | bigint
  /**
   * The id of the event at `expected`, if the writer knows it. It is a conflict if the log has another event there: a log that lost its end
   * and grew again has the same numbers.
   */
  readonly after?: string | undefined
  readonly events: readonly NewEvent[]
  /** Other organizations whose state was read, each with its sequence: their logs must still end there. */
  readonly checks: readonly Check[]
}

/** An organization whose log must end at this sequence, with the event of this id if `after` is given. */
export type Check = {
  readonly organization: string
  readonly sequence: bigint
  readonly after?: string | undefined
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
  /** The standing of the activity after this event. Default: it stays as it was. */
  readonly standing?: Standing | undefined
}

/**
 * The label by which an activity is listed. It stands beside the log: no hash covers it, and it can be computed from the lines again.
 * An activity without a type is not listed.
 */
export type Standing = {
  /** Needed with the first standing of an activity; later it stays as it was. */
  readonly type?: string | undefined
  readonly status: string
}

export type ActivityStanding = { readonly organization: string; readonly activity: string } & Standing

/** The status of an activity whose effects outside were started and not concluded. */
export const PENDING = 'ACTIVITY_STATUS_PENDING'

export type ActivitySelection = {
  readonly limit: number
  /** Default: false, the newest first. */
  readonly ascending?: boolean
  /** Only activities whose first event is behind this sequence, in the direction of the selection. */
  readonly after?: bigint | undefined
  /** Only activities with one of these types. Default: all types. */
  readonly types?: readonly string[] | undefined
  /** Only activities with one of these statuses. Default: all statuses. */
  readonly statuses?: readonly string[] | undefined
}

export type ListedActivity = {
  readonly organization: string
  readonly activity: string
  /** The sequence and the position of its first event. */
  readonly sequence: bigint
  readonly position: bigint
  readonly type: string
  readonly status: string
}

/** Bytes that belong to an event and can be erased; the event names them by SHA-256(salt ‖ bytes). */
export type Part = {
  readonly name: string
  /** 32 random bytes. */
  readonly salt: Uint8Array
  readonly bytes: Uint8Array
}

/** Where a part stands: the sequence of its event in the log of its organization, and its name. */
export type PartPlace = { readonly sequence: bigint; readonly name: string }

export type Recorded = {
  readonly position: bigint
  readonly organization: string
  readonly sequence: bigint
  readonly activity: string
  readonly revision: bigint
  readonly id: string
  readonly line: Uint8Array
  /** The parts that are not erased, as far as the read selects them. */
  readonly parts: readonly Part[]
}

export type Head = { readonly sequence: bigint; readonly position: bigint; readonly line: Uint8Array }

export type Appended =
  /** `sequence` and `position` are those of the commit's last event. */
  | { readonly _tag: 'committed'; readonly sequence: bigint; readonly position: bigint }
  /** The store has exactly these events already; the numbers are the original ones. */
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
