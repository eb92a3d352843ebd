import type { FailureCode } from '../../core/failure.ts'
import type { Timestamps } from '../../core/query/query.ts'

/** What was asked and how it was answered. Never a header, never a body. */
export type HandledRequest = {
  /** Null, as is `path`, where what came in could not be read as a request. */
  readonly method: string | null
  /** Without its query string. */
  readonly path: string | null
  /** 499 where the caller was gone before the answer. */
  readonly status: number
  readonly durationMs: number
  /** Why it was refused. */
  readonly code?: FailureCode
  /** What was thrown: a bug of ours or of the host. The caller learned `requestId` and nothing else. */
  readonly thrown?: { readonly requestId: string; readonly error: unknown }
}

export type HttpHandlerOptions = {
  /** The largest body that is read; default 1 MiB. It may arrive in one piece for each 32 bytes of that, at least in 1,024. */
  readonly bodyBytesMax?: number
  /**
   * How many bytes of bodies are held at once. When there are more, a body on which the engine does not work is refused with 429:
   * the one that has waited the longest. Default 64 MiB. Bodies of up to 4 KiB are not counted.
   */
  readonly bodyBytesHeldMax?: number
  /**
   * How many bytes of bodies the engine works on at once; the next bodies wait. Default 4 MiB: parsed, a body can take 40
   * times its bytes. One caller has half of it. Bodies of up to 4 KiB are not counted.
   */
  readonly bodyBytesInFlightMax?: number
  /**
   * How many bytes of answers are held at once until their callers have read them; the next answers wait. Default 64 MiB.
   * Answers of up to 16 KiB are not counted.
   */
  readonly answerBytesHeldMax?: number
  /** How long a request may take to arrive, and its answer to be read while other answers wait for room; default 15,000 ms. */
  readonly requestTimeoutMs?: number
  /** How many requests the engine works on at once; the next are refused with 429. Default 1,024. */
  readonly requestsInFlightMax?: number
  /**
   * How `get_activity` and `list_activities` write the times of an activity: `string` is RFC 3339, except for clients
   * that are known to need the object; `object` is `{seconds, nanos}` for everyone. Default `string`.
   */
  readonly activityTimestamps?: Timestamps
  /** Addresses and CIDR blocks whose `X-Forwarded-For` is believed; default none. */
  readonly trustedProxies?: readonly string[]
  /** Told of each request when it has been answered. */
  readonly onRequest?: (request: HandledRequest) => void
  /** What `GET /metrics` answers, in the text format of Prometheus. Left out, there is no such route. */
  readonly metrics?: () => string
}

export type HttpServerOptions = HttpHandlerOptions & {
  /** The most bytes of request line and headers; default 16 KiB. */
  readonly headerBytesMax?: number
  /** How long the headers of a request may take to arrive; default 10,000 ms. */
  readonly headersTimeoutMs?: number
  /** How long a connection is kept for the next request; default 5,000 ms. */
  readonly keepAliveTimeoutMs?: number
  /** After how long a connection is closed on which nothing moves, not even an answer; default 60,000 ms. */
  readonly silenceTimeoutMs?: number
  /**
   * How many connections are open at once. When there is one more, the connection is closed that has waited for its caller the
   * longest; the new one is closed when the engine works for all others. Default 1,024.
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
 * @throws RangeError when a limit is not a positive whole number, or contradicts another one
 */
export const settingsOf = (options: HttpServerOptions): ServerSettings => {
  const settings = {
    bodyBytesMax: options.bodyBytesMax ?? MIB,
    bodyBytesHeldMax: options.bodyBytesHeldMax ?? Math.max(64 * MIB, options.bodyBytesMax ?? 0),
    bodyBytesInFlightMax: options.bodyBytesInFlightMax ?? 4 * MIB,
    answerBytesHeldMax: options.answerBytesHeldMax ?? 64 * MIB,
    requestTimeoutMs: options.requestTimeoutMs ?? 15_000,
    requestsInFlightMax: options.requestsInFlightMax ?? 1024,
    activityTimestamps: options.activityTimestamps ?? 'string',
    trustedProxies: options.trustedProxies ?? [],
    onRequest: options.onRequest ?? (() => undefined),
    metrics: options.metrics,
    headerBytesMax: options.headerBytesMax ?? 16 * 1024,
    headersTimeoutMs: options.headersTimeoutMs ?? Math.min(10_000, options.requestTimeoutMs ?? 10_000),
    keepAliveTimeoutMs: options.keepAliveTimeoutMs ?? 5_000,
    silenceTimeoutMs: options.silenceTimeoutMs ?? 60_000,
    connectionsMax: options.connectionsMax ?? 1024,
    drainTimeoutMs: options.drainTimeoutMs ?? 10_000,
  }
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
