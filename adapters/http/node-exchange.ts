import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Request as EngineRequest } from '../../core/request.ts'
import { CALLER_HEADERS, type BodyReader, type Exchange, type Platform, type ReadHeader } from './exchange.ts'
import { GONE, type Reply } from './reply.ts'
import type { RequestId } from './request-id.ts'

/** A request of Node, with what frameworks add to it. */
export type NodeRequest = IncomingMessage & {
  /** The target as the caller sent it, if a framework has taken the prefix of a mount from `url`. */
  readonly originalUrl?: string
  /** What a body parser has made of the body. */
  readonly body?: unknown
}

/** For how long nothing may arrive, and how many pieces, while the server drops bytes after an answer that closes the connection. */
export const LINGER_MS = 1000
const LINGER_PIECES_MAX = 4096

export const nodePlatform: Platform = {
  byteLength: (text) => Buffer.byteLength(text),
  encode: (text) => Buffer.from(text),
  nextTurn: () => new Promise((resolve) => setImmediate(resolve)),
}

/** A request on a socket, and its answer. It is a class because one is made for each request, and the methods need not be made again. */
export class NodeExchange implements Exchange {
  readonly request: NodeRequest
  readonly response: ServerResponse
  readonly requestId: string
  isInEngine = false
  private readonly proceed: (() => void) | undefined
  private reader: BodyReader | undefined

  /** @param proceed  tells a caller who waits for it to send the body (100 Continue) */
  constructor(request: NodeRequest, response: ServerResponse, idOf: RequestId, proceed?: () => void) {
    this.request = request
    this.response = response
    this.proceed = proceed
    this.requestId = idOf(this)
  }

  get method(): string {
    return this.request.method ?? ''
  }

  header(name: ReadHeader): string | undefined {
    return this.request.headers[name]?.toString()
  }

  contentLength(): number | undefined {
    const length = this.request.headers['content-length']
    return length === undefined ? undefined : Number(length)
  }

  stamps(): EngineRequest['headers'] {
    const { rawHeaders } = this.request
    const found: { [name: string]: string | string[] } = {}
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const name = rawHeaders[at]?.toLowerCase() ?? ''
      if (!CALLER_HEADERS.has(name)) continue
      const value = rawHeaders[at + 1] ?? ''
      const before = found[name]
      if (before === undefined) found[name] = value
      else if (typeof before === 'string') found[name] = [before, value]
      else before.push(value) // there can be 1,600 of them: copying the list for each one took 140 ms
    }
    return found
  }

  connectedAddress(): string | undefined {
    return this.request.socket.remoteAddress
  }

  bodyReadBefore(): Uint8Array | 'lost' | undefined {
    const { body, readableDidRead, readableEnded, readableEncoding } = this.request
    if (body instanceof Uint8Array) return body
    if (readableDidRead || readableEncoding !== null) return 'lost' // with an encoding, the stream gives texts
    return readableEnded ? NO_BYTES : undefined
  }

  beginBody(): void {
    this.proceed?.()
  }

  read(reader: BodyReader): void {
    const { take, finish, abort } = reader
    this.reader = reader
    // The request also fails if the caller goes away; the event `close` comes in any case.
    this.request.on('error', NOTHING)
    this.request.on('data', take).on('end', finish).on('close', abort)
    if (this.request.closed || this.response.headersSent) abort() // it has said so before, or was answered
  }

  stopReading({ take, finish, abort }: BodyReader): void {
    this.reader = undefined
    this.request.off('data', take).off('end', finish).off('close', abort)
  }

  isBeingSent(): boolean {
    return this.response.writableEnded
  }

  isOver(): boolean {
    return this.response.closed || this.request.socket.destroyed
  }

  /** Calls back when the operating system has taken the whole answer, or the connection is closed. */
  whenOver(callBack: () => void): () => void {
    const { response } = this
    const { socket } = this.request
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

  cutOff(): void {
    this.response.destroy()
  }

  send(reply: Reply): number {
    const { response, requestId } = this
    if (response.headersSent) return response.statusCode
    if (response.destroyed) return GONE
    this.reader?.abort() // what is answered is not read any more, whatever arrives
    if (!reply.closes) {
      response.writeHead(reply.status, headersOf(reply, requestId)).end(reply.body ?? undefined)
      return reply.status
    }
    // Closing while bytes arrive makes the kernel reset the connection, and the reply may be lost with it. So the whole reply
    // goes out (it says its length), but it does not end before the caller has stopped sending, or the time is over.
    response.writeHead(reply.status, { ...headersOf(reply, requestId), Connection: 'close' }).flushHeaders()
    response.write(reply.body ?? '')
    linger(this)
    return reply.status
  }
}

const NO_BYTES = new Uint8Array(0)
const NOTHING = (): void => undefined

const headersOf = ({ headers, body }: Reply, requestId: string): { readonly [name: string]: string | number } =>
  body === null
    ? { ...headers, 'X-Request-Id': requestId }
    : { ...headers, 'X-Request-Id': requestId, 'Content-Length': Buffer.byteLength(body) }

const linger = ({ request, response }: NodeExchange): void => {
  const { socket } = request
  let pieces = 0
  let seen = 0
  const end = (): void => {
    clearTimeout(timer)
    if (!response.destroyed) response.end()
  }
  // If this process stood still, what has arrived meanwhile is read before the immediate. The server's time for a request bounds it all.
  const look = (): void => {
    if (pieces === seen) return end()
    seen = pieces
    timer.refresh()
  }
  const timer = setTimeout(() => setImmediate(look), LINGER_MS)
  request.once('close', end)
  if (request.complete || socket.readableEnded) end()
  else {
    socket.once('end', end)
    request.once('end', end).on('data', () => {
      pieces += 1
      if (pieces > LINGER_PIECES_MAX) end()
    })
  }
}

/** The reply as the bytes of HTTP/1.1, for a connection whose request could not be read. */
export const rawReply = (reply: Reply, requestId: string): string =>
  [
    `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status]}`,
    ...Object.entries({ ...headersOf(reply, requestId), Connection: 'close' }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    '',
    reply.body ?? '',
  ].join('\r\n')
