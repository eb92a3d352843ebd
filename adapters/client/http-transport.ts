import * as t from 'io-ts'
import { CountersignError, type Caused } from '../../core/countersign-error.ts'
import { keptTimes } from '../../core/door/kept-times.ts'
import { aborted, increasing, type Stamped, type Transport } from '../../core/door/transport.ts'
import { failure, type Failure, type Json } from '../../core/failure.ts'
import { E } from '../../core/prelude.ts'
import { FailureView } from '../../core/view/failure-view.ts'
import { readActivity, readFailure } from '../../core/view/read-activity.ts'
import { ANSWER_BYTES_MAX, boundedText } from './bounded-text.ts'
import { pause } from './pause.ts'

export type HttpTransportOptions = {
  /** The server, such as `https://countersign.example.com`. A path before `/public/v1` is kept. It must not be `undefined`. */
  readonly url: string | undefined
  /** Default: the `fetch` of the platform. */
  readonly fetch?: typeof fetch
  /** How long one attempt may take, in milliseconds. Default: 60,000. */
  readonly timeoutMs?: number
  /**
   * How often a request is sent again if the server does not answer, or is busy. The bytes are the same, so they meet the activity that
   * an earlier attempt has made. What waiting for a minute does not mend is not sent again, such as `RESOURCE_EXHAUSTED`. Default: 2.
   */
  readonly retriesMax?: number
}

/** Sends a stamped body to a path behind `/public/v1/`, and gives the JSON of the answer. */
export type Post = (path: string, request: Stamped, signal?: AbortSignal) => Promise<E.Either<Caused, Json>>

/**
 * What sends requests to a server. It uses nothing but `fetch`.
 *
 * @throws CountersignError with the code `CONFIGURATION_INVALID` if the URL is missing or wrong
 */
export const posting = ({ url, fetch: send, timeoutMs = 60_000, retriesMax = 2 }: HttpTransportOptions): Post => {
  const base = baseOf(url)

  const attempt = async (path: string, { body, stamp }: Stamped, signal: AbortSignal | undefined): Promise<Attempt> => {
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      const response = await (send ?? fetch)(`${base}/public/v1/${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Client-Version': CLIENT, [stamp.name]: stamp.value },
        body: new Uint8Array(body),
        redirect: 'manual',
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      })
      const text = await boundedText(response)
      return text === undefined ? { outcome: E.left(tooLong) } : answerOf(response, text)
    } catch (error) {
      return { outcome: E.left(isAborted(signal) ? aborted : { ...noAnswer(base), cause: error }) }
    }
  }
  return async (path, request, signal) => {
    for (let tries = 0; ; tries += 1) {
      const { outcome, retryAfterMs } = await attempt(path, request, signal)
      if (E.isRight(outcome) || tries >= retriesMax || !mayDisappear(outcome.left, retryAfterMs)) return outcome
      await pause(retryAfterMs ?? 100 * 2 ** tries, signal)
      if (isAborted(signal)) return E.left(aborted)
    }
  }
}

/**
 * The way to a server.
 *
 * @throws CountersignError with the code `CONFIGURATION_INVALID` if the URL is missing or wrong
 */
export const toServer = (options: HttpTransportOptions): Transport => {
  const post = posting(options)
  return {
    ...timesOf(baseOf(options.url)),
    pause,
    submit: async (path, request, signal) =>
      E.flatMap((answer: Json) =>
        E.mapLeft(() => notOurs)(readActivity(Envelope.is(answer) ? answer.activity : undefined)),
      )(await post(`submit/${path}`, request, signal)),
    query: (path, request, signal) => post(`query/${path}`, request, signal),
  }
}

const baseOf = (url: string | undefined): string => {
  const base = (url ?? '').replace(/\/+$/, '')
  if (!/^https?:\/\//i.test(base) || !URL.canParse(base))
    throw new CountersignError(url === undefined ? noUrl : wrongUrl)
  return base
}

const wrongUrl = failure(
  'CONFIGURATION_INVALID',
  'url: expected the URL of a server, such as https://countersign.example.com',
)
const noUrl = failure(
  'CONFIGURATION_INVALID',
  'url: expected the URL of a server; the credentials file names none, so give it beside them: connect({ ...credentials, url })',
)

type Attempt = {
  readonly outcome: E.Either<Caused, Json>
  /** How long the server wants its callers to wait. */
  readonly retryAfterMs?: number
}

/** Who names itself gets all times in one form, which is the engine's own. */
const CLIENT = 'countersign'

const AGAIN: ReadonlySet<string> = new Set(['UNAVAILABLE', 'RATE_LIMIT_EXCEEDED', 'CONFLICT'])

/**
 * Whether the failure may disappear soon. A quota has the same code on the wire as too many requests at once; only for the second does a
 * server say how long to wait. A Countersign names the quota `RESOURCE_EXHAUSTED`, too.
 */
const mayDisappear = ({ code }: Failure, retryAfterMs: number | undefined): boolean =>
  AGAIN.has(code) &&
  (retryAfterMs !== undefined || code !== 'RATE_LIMIT_EXCEEDED') &&
  (retryAfterMs ?? 0) <= RETRY_AFTER_MS_MAX

const isAborted = (signal: AbortSignal | undefined): boolean => signal?.aborted === true

const Envelope = t.type({ activity: t.unknown })

/** The answer, or its failure. Proxies answer with bodies of their own. */
const answerOf = ({ ok, status, headers }: Response, text: string): Attempt => {
  const json = E.tryCatch(
    () => JSON.parse(text) as Json,
    () => notOurs,
  )
  if (ok) return { outcome: json }
  const told = E.flatMap((answer: Json) => E.mapLeft(() => notOurs)(FailureView.decode(answer)))(json)
  const seconds = Number(headers.get('Retry-After') ?? Number.NaN)
  return {
    outcome: E.left(E.isRight(told) ? readFailure(told.right) : strange(status)),
    ...(Number.isFinite(seconds) ? { retryAfterMs: Math.max(seconds, 0) * 1000 } : {}),
  }
}

/** A client does not wait longer than this before it sends a request again: then its caller decides. */
const RETRY_AFTER_MS_MAX = 60_000

const notOurs = failure('INTERNAL', 'the answer is not one of this API: is the URL right?')

const tooLong = failure(
  'INTERNAL',
  `the answer has more than ${ANSWER_BYTES_MAX / 1024 / 1024} MiB, so it is not one of this API: is the URL right?`,
)

const strange = (status: number): Failure =>
  failure(
    status >= 500 ? 'UNAVAILABLE' : 'INTERNAL',
    `something that is not this API answered with the status ${status}: is the URL right?`,
  )

const noAnswer = (base: string): Failure => failure('UNAVAILABLE', `no answer from ${new URL(base).origin}`)

type Times = Pick<Transport, 'nextMs' | 'kept'>

/** One sequence of times for each server, because a host may make a client for each of its own requests. */
const times = new Map<string, Times>()
const timesOf = (base: string): Times => {
  const found = times.get(base) ?? { nextMs: increasing(() => Date.now()), kept: keptTimes() }
  times.set(base, found)
  return found
}
