import type { Failure } from '../../core/failure.ts'
import { hintFor } from '../../core/options.ts'
import type { TellNotice } from '../../core/ports/notice.ts'
import { basePathOf } from './base-path.ts'
import type { Timestamps } from './wire-activity.ts'

/** An answered request, without headers and bodies. */
export type HandledRequest = {
  /** The id that the answer carries in `X-Request-Id`: at most 64 letters, digits, `.`, `_` and `-`. */
  readonly requestId: string
  /** Null, like `path`, if the bytes could not be read as a request. */
  readonly method: string | null
  /** Without its query string. */
  readonly path: string | null
  /** 499 if the caller was gone before the answer. */
  readonly status: number
  readonly durationMs: number
  /** The code of the failure, if the request was refused. */
  readonly code?: Failure['code']
  /** The error, if code threw: a bug of ours or of the host. The caller got only `requestId`, which is that of the request. */
  readonly thrown?: { readonly requestId: string; readonly error: unknown }
}

/** A file that is served as it is, to anybody. */
export type StaticFile = {
  /** Behind the base path, such as `/console`: a path that is percent-encoded where URLs need it, and not one of the API's own. */
  readonly path: string
  /** The value of `Content-Type`. */
  readonly type: string
  /** Further headers of the answer. */
  readonly headers: { readonly [name: string]: string }
  readonly bytes: Uint8Array
}

export type HttpHandlerOptions = {
  /**
   * Where the API is mounted: the beginning of all paths, as clients send them, such as `/countersign`. Clients get it as the end of their
   * base URL. Default: the root.
   */
  readonly basePath?: string
  /** The largest body that is read, in bytes; default 1 MiB. A body may arrive in one piece per 32 bytes of this, or in 1,024 pieces. */
  readonly bodyBytesMax?: number
  /**
   * How many bytes of bodies are held at once. If there are more, the body that has waited the longest is refused with 429; a body that
   * the engine works on is not. Default 64 MiB. Bodies of up to 4 KiB are not counted.
   */
  readonly bodyBytesHeldMax?: number
  /**
   * How many bytes of bodies the engine works on at once; the next bodies wait. Default 4 MiB, because a parsed body can take 40 times
   * its bytes. One caller has at most half of it. Bodies of up to 4 KiB are not counted.
   */
  readonly bodyBytesInFlightMax?: number
  /**
   * How many bytes of answers are held at once until their callers have read them; the next answers wait. Default 64 MiB.
   * Answers of up to 16 KiB are not counted.
   */
  readonly answerBytesHeldMax?: number
  /** How long a request may take to arrive, and how long a caller may take to read an answer while others wait; default 15,000 ms. */
  readonly requestTimeoutMs?: number
  /** How many requests the engine works on at once; the next are refused with 429. Default 1,024. */
  readonly requestsInFlightMax?: number
  /**
   * For how long a submit may have to wait for its turn, in milliseconds. If it would have to wait longer, it is refused at once with 429.
   * A caller whose submits wait already has half of this time. Default 500.
   */
  readonly waitForTurnMaxMs?: number
  /**
   * How `get_activity` and `list_activities` write the times of an activity: `string` is RFC 3339, except for clients that are known to
   * need the object; `object` is `{seconds, nanos}` for all clients. Default `string`.
   */
  readonly activityTimestamps?: Timestamps
  /** Addresses and CIDR blocks whose `X-Forwarded-For` and `X-Request-Id` are believed; default none. */
  readonly trustedProxies?: readonly string[]
  /** Called for each request after its answer. Requests that are left to others do not count. */
  readonly onRequest?: (request: HandledRequest) => void
  /** Called, at most once, if the handler is mounted so that it cannot get the bodies of requests. Default: `console.warn`. */
  readonly onNotice?: TellNotice
  /** Makes the answer of `GET /metrics`, in the text format of Prometheus. Without it, there is no such route. */
  readonly metrics?: (() => string) | undefined
  /** Files that are served without a stamp, such as `consoleFiles()` of `countersign/console`. Pages of other origins cannot read them. Default none. */
  readonly files?: readonly StaticFile[]
}

export type HttpServerOptions = HttpHandlerOptions & {
  /** The most bytes of request line and headers; default 16 KiB. */
  readonly headerBytesMax?: number
  /** How long the headers of a request may take to arrive; default 10,000 ms. */
  readonly headersTimeoutMs?: number
  /** How long a connection is kept for the next request; default 5,000 ms. */
  readonly keepAliveTimeoutMs?: number
  /** After how long a connection without any traffic is closed; default 60,000 ms. */
  readonly silenceTimeoutMs?: number
  /**
   * How many connections are open at once. If there is one more, the server closes the connection that has waited for its caller the
   * longest; if the engine works for all others, it closes the new one. Default 1,024.
   */
  readonly connectionsMax?: number
  /** How long `close` waits for requests in flight before it cuts them off; default 10,000 ms. */
  readonly drainTimeoutMs?: number
}

type Settled<O extends HttpHandlerOptions> = {
  readonly [Name in keyof Omit<O, 'metrics'>]-?: NonNullable<O[Name]>
} & { readonly metrics: O['metrics'] | undefined }
export type HandlerSettings = Settled<HttpHandlerOptions>
export type ServerSettings = Settled<HttpServerOptions>

/**
 * The options with their defaults.
 *
 * @throws RangeError if an option is unknown, if a limit is not a positive whole number, or contradicts another one, or if `basePath` is no path
 */
export const settingsOf = (options: HttpServerOptions): ServerSettings => {
  const settings = {
    basePath: basePathOf(options.basePath ?? ''),
    bodyBytesMax: options.bodyBytesMax ?? MIB,
    bodyBytesHeldMax: options.bodyBytesHeldMax ?? Math.max(64 * MIB, options.bodyBytesMax ?? 0),
    bodyBytesInFlightMax: options.bodyBytesInFlightMax ?? 4 * MIB,
    answerBytesHeldMax: options.answerBytesHeldMax ?? 64 * MIB,
    requestTimeoutMs: options.requestTimeoutMs ?? 15_000,
    requestsInFlightMax: options.requestsInFlightMax ?? 1024,
    waitForTurnMaxMs: options.waitForTurnMaxMs ?? 500,
    activityTimestamps: options.activityTimestamps ?? 'string',
    trustedProxies: options.trustedProxies ?? [],
    onRequest: options.onRequest ?? (() => undefined),
    onNotice: options.onNotice ?? (({ message }) => console.warn(message)),
    metrics: options.metrics,
    files: options.files ?? [],
    headerBytesMax: options.headerBytesMax ?? 16 * 1024,
    headersTimeoutMs: options.headersTimeoutMs ?? Math.min(10_000, options.requestTimeoutMs ?? 10_000),
    keepAliveTimeoutMs: options.keepAliveTimeoutMs ?? 5_000,
    silenceTimeoutMs: options.silenceTimeoutMs ?? 60_000,
    connectionsMax: options.connectionsMax ?? 1024,
    drainTimeoutMs: options.drainTimeoutMs ?? 10_000,
  }
  const names = Object.keys(settings)
  const unknown = Object.keys(options).find((name) => !names.includes(name))
  if (unknown !== undefined) throw new RangeError(`${unknown}: there is no such option${hintFor(unknown, names)}`)
  for (const [name, value] of Object.entries(settings)) {
    if (typeof value === 'number' && !(Number.isSafeInteger(value) && value > 0))
      throw new RangeError(`${name}: expected a positive whole number`)
  }
  if (settings.headersTimeoutMs > settings.requestTimeoutMs)
    throw new RangeError('headersTimeoutMs: expected at most requestTimeoutMs, which counts the headers, too')
  if (settings.bodyBytesHeldMax < settings.bodyBytesMax)
    throw new RangeError('bodyBytesHeldMax: expected at least bodyBytesMax, or no body of that length could be read')
  return settings
}

const MIB = 1024 * 1024
