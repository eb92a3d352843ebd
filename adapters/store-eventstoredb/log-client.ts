/**
 * What the store needs of a server, in its own terms: numbers are bigints, bytes are bytes, and an unknown outcome is told as such.
 * `connectClient` gives one that talks to a server from a thread of its own.
 */
export type LogClient = {
  /**
   * Appends the events, all or none, at the end of the stream. Sent again with the same ids and the same expectation, it answers the
   * original numbers.
   *
   * @throws `LogClientError`
   */
  readonly append: (
    stream: string,
    expected: ExpectedEnd,
    events: readonly StreamEvent[],
    options?: AppendOptions,
  ) => Promise<AppendedAt>
  /**
   * The positions of so many events of a stream from a revision on; fewer, if it has fewer. Their bytes stay where they are read. It is read
   * after the appends to the stream that were asked for before, so that nobody has to wait for these to ask.
   */
  readonly positions: (stream: string, from: bigint, count: number) => Promise<readonly bigint[]>
  /** A page of a stream; events have the revisions of the stream. `missing` where it never was, `deleted` where it has a tombstone. */
  readonly readStream: (stream: string, page: StreamPage) => Promise<readonly StoredEvent[] | 'missing' | 'deleted'>
  /**
   * A page of the whole log, other applications' events and the server's own among them; the event at `from` is part of it. Events
   * without our prefix have empty bytes.
   */
  readonly readAll: (page: AllPage) => Promise<readonly StoredEvent[]>
  /** Follows the streams whose names begin with one of the prefixes, until it is stopped or drops. The server filters. */
  readonly follow: (from: FollowFrom, listener: FollowListener) => Following
  /** Ends a stream for ever; none of its events can be read any more. No failure if it has ended, or never was. */
  readonly tombstone: (stream: string) => Promise<void>
  /**
   * Removes what a stream has; what is appended later begins behind the numbers of what was removed. No failure if there is nothing.
   *
   * @param last  the revision that the last event must have
   */
  readonly deleteSoftly: (stream: string, last: bigint) => Promise<void>
  /** Asks the server for its leader, and whether it takes writes: resolves if it does. */
  readonly checkLeader: () => Promise<void>
  /** How many connections were made so far. While the number is the same, all answers come over the same one. */
  readonly connections: () => number
  readonly close: () => Promise<void>
}

export type AppendOptions = {
  readonly signal?: AbortSignal | undefined
  /**
   * Events that are the first ones of their streams. They are appended at the same time, and only when all of them are acknowledged, the others
   * are. If one of them is refused for good, that is told as `first-refused`, and others of them may have been appended.
   */
  readonly first?: readonly FirstEvent[] | undefined
}

export type FirstEvent = { readonly stream: string; readonly event: StreamEvent }

/** Revisions of streams count from 0, as the server does. */
export type ExpectedEnd = 'none' | 'any' | bigint

export type StreamEvent = {
  /** A UUID. */
  readonly id: string
  readonly type: string
  readonly data: Uint8Array
  readonly metadata: Uint8Array
}

/** The revision and the position of the last event that was appended. */
export type AppendedAt = { readonly revision: bigint; readonly position: bigint }

export type StoredEvent = StreamEvent & {
  readonly stream: string
  readonly revision: bigint
  /** The commit position. */
  readonly position: bigint
  /** How many bytes of data were left out because nobody asked for them. */
  readonly omitted?: number | undefined
  /** When the server wrote it, by the clock of the server. */
  readonly createdMs: number
}

export type StreamPage = {
  readonly from: 'start' | 'end' | bigint
  readonly backwards?: boolean
  readonly limit: number
}

export type AllPage = {
  readonly from: 'start' | 'end' | bigint
  readonly backwards?: boolean
  readonly limit: number
  /** Streams whose events come with their bytes. Default: all. */
  readonly prefixes?: readonly string[]
  /** Of their bytes, only the metadata. */
  readonly withoutData?: boolean
}

export type FollowFrom = {
  readonly prefixes: readonly string[]
  /** Events behind this position; `end`: those that are appended from now on. */
  readonly after: 'start' | 'end' | bigint
  /** Of their bytes, only the metadata. */
  readonly withoutData?: boolean
}

export type FollowListener = {
  /** In order of position. The next call waits for the promise, and the server is not read further meanwhile. */
  readonly onEvents: (events: readonly StoredEvent[]) => void | Promise<void>
  /** All events that were there when it began, and some time later, have been given. May be told again. */
  readonly onCaughtUp: () => void
  /** Nothing more of ours is to be expected up to this position. */
  readonly onCheckpoint?: (position: bigint) => void
  /** It has ended by itself, and gives nothing more: begin again behind the last event. */
  readonly onDropped: (error: LogClientError) => void
}

export type Following = { readonly stop: () => Promise<void> }

/** Why the server did not do what it was asked for. */
export type Trouble =
  /** The stream ends elsewhere; `none`: there is no such stream. */
  | { readonly _tag: 'wrong-end'; readonly actual: bigint | 'none' }
  /** The stream of an event that goes before ends elsewhere, or for ever, or the event is too large. Nothing was appended behind it. */
  | { readonly _tag: 'first-refused' }
  /** The append is larger than the server takes. */
  | { readonly _tag: 'too-large'; readonly bytesMax?: number | undefined }
  /** The stream was ended for ever. */
  | { readonly _tag: 'deleted' }
  /** The user may not do this. */
  | { readonly _tag: 'denied' }
  /** The server, or what was asked of it, is not what the store needs, and will not become so by waiting. */
  | { readonly _tag: 'unusable' }
  /** Nothing was done, as far as the answer says: no server, no leader, overloaded. */
  | { readonly _tag: 'unavailable' }
  /** It may have been done or not: the connection or the time ended before an answer came. */
  | { readonly _tag: 'unknown' }

/** The message has no credentials, no URL and nothing of any event. */
export class LogClientError extends Error {
  readonly trouble: Trouble

  constructor(trouble: Trouble, message: string) {
    super(message)
    this.name = 'LogClientError'
    this.trouble = trouble
  }
}
