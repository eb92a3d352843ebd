import { CALLER_HEADERS as AS_SPELLED, type Request as EngineRequest } from '../../core/request.ts'
import type { Reply } from './reply.ts'

/**
 * A request and its answer, on their way. Whatever answers requests sees them like this; how they arrive and leave is a matter of the skin:
 * `NodeExchange` for sockets of Node, `FetchExchange` for `Request` and `Response`.
 */
export type Exchange = {
  readonly method: string
  /** The id of the request. */
  readonly requestId: string
  /** Whether the engine works on the request. If it does not, the server waits for the caller or for a place. */
  isInEngine: boolean
  /** The value of a header; several values are joined with commas. */
  readonly header: (name: ReadHeader) => string | undefined
  readonly contentLength: () => number | undefined
  /** All headers that carry a stamp, also if one was sent twice, which the engine refuses. */
  readonly stamps: () => EngineRequest['headers']
  /** The address from which the request came: of the caller, or of a proxy. */
  readonly connectedAddress: () => string | undefined
  /**
   * The body, if somebody read it before: its bytes, or `lost` if they are not there any more. Undefined if nobody has read it.
   */
  readonly bodyReadBefore: () => Uint8Array | 'lost' | undefined
  /** Tells a caller who waits for it to send the body (100 Continue). */
  readonly beginBody: () => void
  /** Gives the pieces of the body to the reader, until `stopReading` is called with the same reader. */
  readonly read: (reader: BodyReader) => void
  readonly stopReading: (reader: BodyReader) => void
  /** Whether the whole answer was handed over, and its end waits for the caller to read. */
  readonly isBeingSent: () => boolean
  /** Whether the whole answer is sent, or the caller is gone. */
  readonly isOver: () => boolean
  /**
   * Calls back when the whole answer is sent, or the caller is gone.
   *
   * @returns a function that cancels the callback
   */
  readonly whenOver: (callBack: () => void) => () => void
  /** Gives up sending the answer: the caller does not read it. */
  readonly cutOff: () => void
  /**
   * Sends the reply, unless one was sent or the caller is gone.
   *
   * @returns the status that the request got; 499 for a caller who is gone
   */
  readonly send: (reply: Reply) => number
}

export type ReadHeader =
  | 'accept'
  | 'access-control-request-headers'
  | 'content-encoding'
  | 'expect'
  | 'origin'
  | 'user-agent'
  | 'x-auth-proxy-config-id'
  | 'x-captcha-token'
  | 'x-client-version'
  | 'x-forwarded-for'
  | 'x-request-id'

/** Gets a body: its pieces, and then either its end, or that it never ends because the caller is gone. */
export type BodyReader = {
  readonly take: (piece: Uint8Array) => void
  readonly finish: () => void
  readonly abort: () => void
}

/** What only the platform can do, or can do best. */
export type Platform = {
  /** The length of a text in UTF-8. */
  readonly byteLength: (text: string) => number
  readonly encode: (text: string) => Uint8Array<ArrayBuffer>
  /** Resolves when the other work that was ready is done. */
  readonly nextTurn: () => Promise<void>
}

/** The headers that carry a stamp, in lower case. */
export const CALLER_HEADERS: ReadonlySet<string> = new Set(AS_SPELLED.map((name) => name.toLowerCase()))
