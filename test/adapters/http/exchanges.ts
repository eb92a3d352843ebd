import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Exchange } from '../../../adapters/http/exchange.ts'

/** A request and its response on a socket that leads nowhere. */
export const anyExchange = (): Exchange => {
  const request = new IncomingMessage(new Socket())
  return { request, response: new ServerResponse(request), beginBody: undefined, isInEngine: false }
}

/** The caller leaves. */
export const leave = ({ request }: Exchange): void => void request.socket.emit('close')
