import { STATUS_CODES } from 'node:http'
import { failure, type Failure, type FailureCode } from '../../core/failure.ts'
import { failureView, turnkeyErrorCode } from '../../core/query/failure-view.ts'
import type { Exchange } from './exchange.ts'
import { httpStatus, retryAfterSeconds } from './status.ts'

/** An answer before it is sent. */
export type Reply = {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  /** Null where the status has no body. Bytes where it is long. */
  readonly body: string | Buffer | null
  /** Whether the connection ends with it: the rest of the request is not worth reading, or cannot be read. */
  readonly closes: boolean
  readonly code?: FailureCode
  readonly thrown?: { readonly requestId: string; readonly error: unknown }
}

/** How long what still arrives is thrown away after an answer that closes the connection, and in how many pieces. */
export const LINGER_MS = 1000
const LINGER_PIECES_MAX = 4096

/** Any origin may read any answer; credentials are in headers that the page itself must know, never in cookies. */
const ANY_ORIGIN = { 'Access-Control-Allow-Origin': '*' }

// Exactly this type, without a charset: a client of the API compares the whole text.
const JSON_HEADERS = { 'Content-Type': 'application/json', ...ANY_ORIGIN }

export const jsonReply = (body: string): Reply => ({ status: 200, headers: JSON_HEADERS, body, closes: false })

/** From here on an answer is long: it takes room until it is read. */
const LONG = 16 * 1024

/** The bytes that a long answer takes; 0 for others. */
export const longBytesOf = ({ body }: Reply): number =>
  body === null || body.length <= LONG ? 0 : Buffer.byteLength(body)

/** The reply with a long body as bytes: of text that waits to be read, Node keeps three bytes for each character. */
export const asBytes = (reply: Reply): Reply =>
  typeof reply.body === 'string' && reply.body.length > LONG ? { ...reply, body: Buffer.from(reply.body) } : reply

/** Numbers, for a collector and not for pages of other origins. */
export const metricsReply = (body: string): Reply => ({
  status: 200,
  headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8', 'Cache-Control': 'no-store' },
  body,
  closes: false,
})

/** The answer to a preflight, and to anyone else who asks what can be done here. */
export const optionsReply = (methods: readonly string[]): Reply => ({
  status: 204,
  headers: {
    ...ANY_ORIGIN,
    Allow: methods.join(', '),
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers': REQUEST_HEADERS.join(', '),
    'Access-Control-Max-Age': '7200',
  },
  body: null,
  closes: false,
})

const REQUEST_HEADERS = [
  'X-Stamp',
  'X-Stamp-WebAuthn',
  'X-Stamp-Attested',
  'X-Session',
  'X-Client-Version',
  'Content-Type',
  'Accept',
  'X-Auth-Proxy-Config-Id',
  'X-Captcha-Token',
]

export type ErrorReplyOptions = {
  /** Where HTTP has a status that says more than the failure's code does. */
  readonly status?: number
  readonly headers?: { readonly [name: string]: string }
  readonly closes?: boolean
}

/** A failure as the wire carries it; the public API's own code stands at the top, too. */
export const errorReply = (failure: Failure, { status, headers, closes }: ErrorReplyOptions = {}): Reply => {
  const retryAfter = retryAfterSeconds[failure.code]
  return {
    status: status ?? httpStatus[failure.code],
    headers: {
      ...JSON_HEADERS,
      ...(retryAfter === undefined
        ? {}
        : { 'Retry-After': String(retryAfter), 'Access-Control-Expose-Headers': 'Retry-After' }),
      ...headers,
    },
    body: JSON.stringify({ ...failureView(failure), turnkeyErrorCode: turnkeyErrorCode[failure.code] }),
    closes: closes ?? false,
    code: failure.code,
  }
}

/**
 * Sends the reply, unless one was sent or the caller is gone.
 *
 * @returns the status that the request got; 499 for a caller who is gone
 */
export const send = ({ request, response }: Exchange, reply: Reply): number => {
  if (response.headersSent) return response.statusCode
  if (response.destroyed) return GONE
  if (!reply.closes) {
    response.writeHead(reply.status, headersOf(reply)).end(reply.body ?? undefined)
    return reply.status
  }
  // Closing while bytes arrive makes the kernel reset the connection, and the reply may be lost with it. So the whole reply
  // goes out (it says its length), but it does not end before the caller has stopped sending, or the time is over.
  response.writeHead(reply.status, { ...headersOf(reply), Connection: 'close' }).flushHeaders()
  response.write(reply.body ?? '')
  linger({ request, response })
  return reply.status
}

const GONE = httpStatus.ABORTED

/** For nobody: the caller has left. */
export const gone = errorReply(failure('ABORTED', 'the caller is gone'), { closes: true })

const headersOf = ({ headers, body }: Reply): { readonly [name: string]: string | number } =>
  body === null ? headers : { ...headers, 'Content-Length': Buffer.byteLength(body) }

const linger = ({ request, response }: Pick<Exchange, 'request' | 'response'>): void => {
  const { socket } = request
  let pieces = 0
  const end = (): void => {
    clearTimeout(timer)
    if (!response.destroyed) response.end()
  }
  const timer = setTimeout(end, LINGER_MS)
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
export const rawReply = (reply: Reply): string =>
  [
    `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status]}`,
    ...Object.entries({ ...headersOf(reply), Connection: 'close' }).map(([name, value]) => `${name}: ${value}`),
    '',
    reply.body ?? '',
  ].join('\r\n')
