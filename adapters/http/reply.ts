import * as t from 'io-ts'
import { described, named } from '../../core/codec/described.ts'
import { fields } from '../../core/codec/fields.ts'
import { failureCodes } from '../../core/failure-codes.ts'
import { failure, rowOf, type Failure } from '../../core/failure.ts'
import { CALLER_HEADERS } from '../../core/request.ts'
import { failureMembers, failureView } from '../../core/view/failure-view.ts'
import type { Platform } from './exchange.ts'
import type { StaticFile } from './options.ts'

/** An answer before it is sent. */
export type Reply = {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  /** Null if the status has no body; bytes if the body is long. */
  readonly body: string | Uint8Array<ArrayBuffer> | null
  /** Whether the connection ends with it, because the rest of the request is too long to read, or cannot be read. */
  readonly closes: boolean
  readonly code?: Failure['code']
  readonly thrown?: { readonly requestId: string; readonly error: unknown }
}

/** Any origin may read any answer, because credentials are in headers that a page must know itself, never in cookies. */
const ANY_ORIGIN = { 'Access-Control-Allow-Origin': '*' }

// Exactly this type, without a charset: a client of the API compares the whole text.
const JSON_HEADERS = {
  'Content-Type': 'application/json',
  ...ANY_ORIGIN,
  'Access-Control-Expose-Headers': 'X-Request-Id',
}

export const jsonReply = (body: string): Reply => ({ status: 200, headers: JSON_HEADERS, body, closes: false })

/** An answer of at least this many bytes is long: it takes room until it is read. */
const LONG = 16 * 1024

/** The bytes that a long answer takes; 0 for others. */
export const longBytesOf = ({ body }: Reply, { byteLength }: Pick<Platform, 'byteLength'>): number => {
  if (body === null || body.length <= LONG) return 0
  return typeof body === 'string' ? byteLength(body) : body.length
}

/** The reply with a long body as bytes: for text that waits to be read, Node keeps three bytes for each character. */
export const asBytes = (reply: Reply, { encode }: Pick<Platform, 'encode'>): Reply =>
  typeof reply.body === 'string' && reply.body.length > LONG ? { ...reply, body: encode(reply.body) } : reply

/** Metrics, for a collector; pages of other origins cannot read them. */
export const metricsReply = (body: string): Reply => ({
  status: 200,
  headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8', 'Cache-Control': 'no-store' },
  body,
  closes: false,
})

/** A file of the host; pages of other origins cannot read it. The bytes are copied, so that nobody changes them later. */
export const fileReply = ({ type, headers, bytes }: StaticFile): Reply => ({
  status: 200,
  headers: { ...headers, 'Content-Type': type },
  body: new Uint8Array(bytes),
  closes: false,
})

/** The answer to OPTIONS, for example to a preflight. */
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
  ...CALLER_HEADERS,
  'X-Client-Version',
  'Content-Type',
  'Accept',
  'X-Auth-Proxy-Config-Id',
  'X-Captcha-Token',
]

export type ErrorReplyOptions = {
  /** A status of HTTP that says more than the status of the failure's code. */
  readonly status?: number
  readonly headers?: { readonly [name: string]: string }
  readonly closes?: boolean
}

/** The body of a reply that refuses. */
export const Refusal = named(
  'Refusal',
  described(
    fields({
      ...failureMembers,
      turnkeyErrorCode: t.keyof(
        Object.fromEntries(
          Object.values(failureCodes)
            .map(({ wire }) => wire)
            .toSorted()
            .map((code) => [code, null]),
        ),
      ),
    }),
    'why there is no other answer',
  ),
)
export type Refusal = t.TypeOf<typeof Refusal>

/** A failure as the wire carries it, with the public API's own code also at the top. */
const refusalOf = (failure: Failure): Refusal => ({
  ...failureView(failure),
  turnkeyErrorCode: rowOf(failure).wire,
})

/** The reply with a failure. */
export const errorReply = (failure: Failure, { status, headers, closes }: ErrorReplyOptions = {}): Reply => {
  const { http, retryAfterSeconds: retryAfter } = rowOf(failure)
  return {
    status: status ?? http,
    headers: {
      ...JSON_HEADERS,
      ...(retryAfter === undefined
        ? {}
        : { 'Retry-After': String(retryAfter), 'Access-Control-Expose-Headers': 'Retry-After, X-Request-Id' }),
      ...headers,
    },
    body: JSON.stringify(refusalOf(failure)),
    closes: closes ?? false,
    code: failure.code,
  }
}

export const GONE = failureCodes.ABORTED.http

/** The reply if the caller has left; nobody reads it. */
export const gone = errorReply(failure('ABORTED', 'the caller is gone'), { closes: true })
