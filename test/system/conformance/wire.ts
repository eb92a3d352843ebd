import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One request and the answer that the server gave, as it left the server. */
export type Exchange = {
  readonly method: string
  readonly path: string
  /** Of the request; names in lower case. */
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
  status: number
  contentType: string
  body: string
}

type Started = { readonly request: IncomingMessage; readonly response: ServerResponse; readonly server: Server }

/**
 * Listens in on the server of a port: official clients keep what they parsed and throw away the rest, and what they throw
 * away may be wrong, too. Node announces each request before the server sees it.
 *
 * @returns how to stop
 */
export const listenIn = (port: number, exchanges: Exchange[]): (() => void) => {
  const heard = (message: unknown): void => {
    const { request, response, server } = message as Started // as Node documents this channel
    if ((server.address() as AddressInfo | null)?.port === port) exchanges.push(follow(request, response))
  }
  subscribe('http.server.request.start', heard)
  return () => unsubscribe('http.server.request.start', heard)
}

const follow = (request: IncomingMessage, response: ServerResponse): Exchange => {
  const exchange: Exchange = {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    status: 0,
    contentType: '',
    body: '',
  }
  const { writeHead, write, end } = response
  const keep = (chunk: unknown): void => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) exchange.body += Buffer.from(chunk).toString()
  }
  Object.assign(response, {
    writeHead: (status: number, headers: { readonly [name: string]: string }) => {
      exchange.status = status
      exchange.contentType = headers['Content-Type'] ?? ''
      return writeHead.call(response, status, headers)
    },
    write: (chunk: unknown) => {
      keep(chunk)
      return write.call(response, chunk, 'utf8')
    },
    end: (chunk?: unknown) => {
      keep(chunk)
      return end.call(response, chunk, 'utf8')
    },
  })
  return exchange
}
