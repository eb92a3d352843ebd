import type { IncomingMessage, ServerResponse } from 'node:http'

/** A request and its answer, on their way through the server. */
export type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** To be called when the body is wanted, for callers who wait to be told (100 Continue). */
  readonly beginBody: (() => void) | undefined
  /** Whether the engine works on it. At all other times it is the caller who has to send or to read. */
  isInEngine: boolean
}
