import type { IncomingMessage, ServerResponse } from 'node:http'

/** A request and its answer, on their way through the server. */
export type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** To be called when the body is wanted, for callers who wait to be told (100 Continue). */
  readonly beginBody: (() => void) | undefined
  /** Whether the engine works on the request. If it does not, the server waits for the caller or for a place. */
  isInEngine: boolean
}

/**
 * Calls back when the whole answer was handed over to the operating system, or the connection is closed.
 *
 * @returns a function after which it does not call back any more
 */
export const whenOver = ({ request: { socket }, response }: Exchange, callBack: () => void): (() => void) => {
  // A response that waits behind others on its connection does not close with it.
  const takeBack = (): void => {
    response.off('close', over)
    socket.off('close', over)
  }
  const over = (): void => {
    takeBack()
    callBack()
  }
  response.once('close', over)
  socket.once('close', over)
  return takeBack
}

export const isOver = ({ request: { socket }, response }: Exchange): boolean => response.closed || socket.destroyed
