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

/**
 * Calls back when the answer was handed over, or nobody is there any more to read it.
 *
 * @returns takes that back
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
