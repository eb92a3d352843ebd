/** A request to an address that a caller has named. */
export type OutgoingRequest = {
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  readonly body: Uint8Array
  /** Asked right before it connects: false gives `aborted`. */
  readonly mayStill?: () => boolean
  readonly signal?: AbortSignal
}

/** A request whose answer is read. One that is a `GET` sends no body. */
export type AskedRequest = OutgoingRequest & {
  readonly method: 'GET' | 'POST'
  readonly limits: {
    /** How long all of it may take. */
    readonly totalMs: number
    /** How long the body of the answer may be. */
    readonly bytesMax: number
  }
}

/** The ports of https that are asked, as a URL has them: 443 is not written. */
export const OUTGOING_PORTS: readonly string[] = ['', '8443']

/**
 * What came of it: the status of the answer, or why there is none. Neither quotes anything that the other side has sent: `retryAfter` is a number of
 * seconds or a time, as we write it.
 */
export type Outcome =
  | { readonly _tag: 'answered'; readonly status: number; readonly retryAfter: string | undefined }
  | { readonly _tag: 'unanswered'; readonly why: Unanswered }

/** A whole answer, or why there is none. The body is what the other side has sent: it is in no coding that was asked for, and none is undone. */
export type Answer =
  | { readonly _tag: 'answered'; readonly status: number; readonly body: Uint8Array }
  | { readonly _tag: 'unanswered'; readonly why: Unanswered | 'too-large' }

/**
 * `refused`: the URL is none that is asked, or the host has an address that is not public. `no-address`: the name has none. `certificate`: it is not
 * that of the host. `connection`: there was none, or it ended, or what came is no answer. `time-out`: it took too long. `aborted`: the signal, or
 * `mayStill`.
 */
export type Unanswered = 'refused' | 'no-address' | 'certificate' | 'connection' | 'time-out' | 'aborted'

/** Sends requests to addresses that callers, or documents of others, have named, and to public ones only. It follows no redirect. */
export interface Outgoing {
  /** Drops what the answer has. Its limits are those of webhooks. */
  readonly post: (request: OutgoingRequest) => Promise<Outcome>
  /** Reads the answer: all of it, or it is `unanswered`. */
  readonly ask: (request: AskedRequest) => Promise<Answer>
  /** Ends what is under way. */
  readonly close: () => Promise<void>
}
