import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { NodeExchange } from '../../../adapters/http/node-exchange.ts'

/** A request and its response on a socket that leads nowhere. */
export const anyExchange = (): NodeExchange => {
  const request = new IncomingMessage(new Socket())
  return new NodeExchange(request, new ServerResponse(request), () => 'one')
}

/** The caller leaves. */
export const leave = ({ request }: NodeExchange): void => void request.socket.emit('close')
