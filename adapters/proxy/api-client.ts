import * as t from '../../core/codec/t.ts'
import type { JsonObject } from '../../core/codec/codec.ts'
import { refuse, refusal } from '../../core/definition/refuse.ts'
import { increasing, stamped, type Stamper } from '../../core/door/transport.ts'
import type { Json } from '../../core/failure.ts'
import { FailureView } from '../../core/view/failure-view.ts'
import { readFailure } from '../../core/view/read-activity.ts'
import { boundedText } from '../client/bounded-text.ts'
import type { Call } from './endpoint.ts'
import { PassedOn, tooSlow, unreachable } from './passed-on.ts'

export type ApiOptions = {
  /** The server, such as `https://countersign.example.com`. A path before `/public/v1` is kept. */
  readonly url: string
  readonly fetch: typeof fetch
  /** Milliseconds since the epoch. */
  readonly nowMs: () => number
  /** Waits for so long, in milliseconds; ends early if the signal aborts. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
}

/** One request of a client, as far as the API sees it: whose key stamps, and how long all of it may take together. */
export type Asking = { readonly stamper: Stamper; readonly signal: AbortSignal }

/**
 * The API, for which the proxy is a client like any other. All reject with a refusal: `PassedOn` with what the API has said; 502 if it is away or is
 * none, 504 if it is slow.
 */
export type Api = {
  readonly submit: (asking: Asking, activity: Parameters<Call['submit']>[0]) => Promise<Json>
  readonly query: (asking: Asking, path: string, body: JsonObject) => Promise<Json>
  readonly mustBeReady: (signal: AbortSignal) => Promise<void>
}

/** @throws TypeError if the URL is wrong */
export const apiClient = ({ url, fetch: send, nowMs, pause }: ApiOptions): Api => {
  const base = url.replace(/\/+$/, '')
  if (!/^https?:\/\/[^\s?#@]+$/i.test(base) || !URL.canParse(base))
    throw new TypeError('expected the URL of a server, such as https://countersign.example.com')
  const nextMs = increasing(nowMs)

  const answered = async (path: string, request: RequestInit, signal: AbortSignal): Promise<Answered> => {
    try {
      const response = await send(`${base}${path}`, { ...request, redirect: 'manual', signal })
      const text = await boundedText(response, ANSWER_BYTES_MAX)
      return { status: response.status, text, retryAfter: response.headers.get('Retry-After') }
    } catch {
      // The error of `fetch` would name hosts and ports of the deployment.
      throw signal.aborted ? tooSlow() : unreachable('the API cannot be reached')
    }
  }
  const post = async (path: string, body: Json, { stamper, signal }: Asking): Promise<Json> => {
    const { body: bytes, stamp } = await stamped(stamper, body)
    const headers = { 'Content-Type': 'application/json', 'X-Client-Version': CLIENT, [stamp.name]: stamp.value }
    const request = { method: 'POST', headers, body: new Uint8Array(bytes) }
    return jsonOf(await answered(`/public/v1/${path}`, request, signal))
  }
  const query: Api['query'] = (asking, path, body) => post(`query/${path}`, body, asking)

  /** Waits until an activity has an end: some go on after their answer. */
  const ended = async (first: Json, organizationId: string, asking: Asking): Promise<Activity> => {
    let activity = activityIn(first)
    for (let waitMs = POLL_MS; GOES_ON.has(activity.status); waitMs = Math.min(2 * waitMs, POLL_MS_MAX)) {
      await pause(waitMs, asking.signal)
      if (asking.signal.aborted) throw tooSlow()
      activity = activityIn(await query(asking, 'get_activity', { organizationId, activityId: activity.id }))
    }
    return activity
  }

  return {
    query,
    submit: async (asking, { type, path, organizationId, parameters, resultName, withProofs }) => {
      const body = { type, timestampMs: String(nextMs()), organizationId, parameters }
      const activity = await ended(await post(`submit/${path}`, body, asking), organizationId, asking)
      const result = resultOf(activity, resultName)
      const { appProofs = [] } = activity
      return withProofs === true && appProofs.length > 0 ? { ...result, appProofs } : result
    },
    mustBeReady: async (signal) => {
      const { status } = await answered('/readyz', {}, signal)
      if (status !== 200) throw unreachable('the API is not ready')
    },
  }
}

/** Who names itself gets all times in one form. */
const CLIENT = 'countersign-proxy'

/** Far more than the longest list that is asked for. */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024

const POLL_MS = 50
const POLL_MS_MAX = 1_000

type Answered = {
  readonly status: number
  /** Undefined if it is too long. */
  readonly text: string | undefined
  readonly retryAfter: string | null
}

/** The answer of the API; throws what it refuses. Whoever stands before it answers in other forms. */
const jsonOf = ({ status, text, retryAfter }: Answered): Json => {
  const json = text === undefined ? undefined : parsed(text)
  if (json === undefined) throw notOurs()
  if (status === 200) return json
  const refused = FailureView.decode(json)
  if (status < 400 || text === undefined || refused._tag === 'Left') throw notOurs()
  throw new PassedOn(readFailure(refused.right), { status, body: text, retryAfter })
}

const parsed = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

const notOurs = (): Error => unreachable('the API has answered in a form that is not understood')

const Activity = t.fields(
  { id: t.string, status: t.string },
  { result: t.record(t.string, t.AnyJson), failure: FailureView, appProofs: t.array(t.AnyJson) },
)
type Activity = t.TypeOf<typeof Activity>
const Envelope = t.fields({ activity: Activity })

const activityIn = (answer: Json): Activity => {
  const read = Envelope.decode(answer)
  if (read._tag === 'Left') throw notOurs()
  return read.right.activity
}

const GOES_ON: ReadonlySet<string> = new Set(['ACTIVITY_STATUS_CREATED', 'ACTIVITY_STATUS_PENDING'])

const resultOf = ({ status, result = {}, failure }: Activity, name: string): { readonly [member: string]: Json } => {
  if (status === 'ACTIVITY_STATUS_FAILED' && failure !== undefined) throw refusal(readFailure(failure))
  if (status !== 'ACTIVITY_STATUS_COMPLETED') throw refuse('REQUEST_NOT_AUTHORIZED', UNDECIDED)
  const found = Object.hasOwn(result, name) ? result[name] : undefined
  if (typeof found !== 'object' || found === null || Array.isArray(found)) throw notOurs()
  return found as { readonly [member: string]: Json } // what is left of JSON
}

/** The proxy is not allowed to act alone: policies of the organization are in its way. */
const UNDECIDED = 'the auth proxy may not do this without approval: policies of the organization are in its way'
