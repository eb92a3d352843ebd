import { CountersignError, failureOf, orThrow, type Retry } from '../countersign-error.ts'
import type { Operation } from '../definition/operation.ts'
import type { Query } from '../definition/query.ts'
import { failure, type Failure, type Json } from '../failure.ts'
import { E } from '../prelude.ts'
import { eraseUser } from '../resources/erasure/erase-user.ts'
import { listPersonalPlaces } from '../resources/erasure/list-personal-places.ts'
import { getActivity } from '../resources/activity/get-activity.ts'
import type { ActivityView } from '../view/activity-view.ts'
import { readActivity } from '../view/read-activity.ts'
import { fingerprintOfBody, type ShownByServer } from '../view/shown-request.ts'
import { expected, expectedByFingerprint, votable } from './check-answer.ts'
import { timeOf } from './kept-times.ts'
import { sending } from './sending.ts'
import { isOver, read, readable, submitted, type Submitted } from './submitted.ts'
import { aborted, stamped, type Stamped, type Stamper, type Transport } from './transport.ts'

/** What `try` gives: a failure is a value. */
export type Tried<R> =
  | ({ readonly ok: true } & Submitted<R>)
  | {
      readonly ok: false
      readonly failure: Failure
      /** Is there if the outcome is unknown: see `CountersignError`. */
      readonly retry?: Retry<Tried<R>>
    }

export type RequestOptions = {
  /** Stops waiting. What is stored by then stays. */
  readonly signal?: AbortSignal
  /**
   * Requests with the same key and the same parameters are the same activity, however often they are submitted: the client keeps the time of
   * the first one. It keeps it in the memory of this process, for the 10,000 keys that were used last of one server or one engine, for each
   * key of a caller. So all clients of one caller share it, and it does not outlive the process: for that, keep a `timestampMs`. A submit
   * after more than an hour is refused unless the activity is there already. The same key with another operation or other parameters is
   * `REQUEST_INVALID`, and nothing is sent.
   */
  readonly idempotencyKey?: string
  /**
   * The time of the request, in milliseconds since the epoch. The same parameters with the same time are the same activity, however
   * often they are submitted: a host that must not do something twice, also after a crash, keeps the time before it submits. Default: now;
   * two requests of a client never have the same time. Not together with `idempotencyKey`.
   */
  readonly timestampMs?: number
}

export type WaitOptions = RequestOptions & {
  /** How long to wait between two looks, in milliseconds. Default: 100, and twice as long after each look, up to 5,000. */
  readonly everyMs?: number
}

/**
 * An activity to vote on: the activity as it was shown, or its fingerprint, which names the exact bytes that were requested. Nothing is
 * checked of a fingerprint alone: then the caller knows what it stands for.
 */
export type Votable = string | ShownByServer

type OperationOf<I, R> = Operation<string, I, R>

/**
 * The requests of one user, stamped by one key. Its promises reject with a `CountersignError`. It does not trust the server, or what stands
 * between, about which activity an answer shows: of another one than that of the request it says `INTERNAL`.
 */
export type Client = {
  readonly organizationId: string
  /** Submits an activity. A denial by a policy is a `CountersignError` with the code `REQUEST_NOT_AUTHORIZED`. */
  readonly submit: <I, R>(
    operation: OperationOf<I, R>,
    parameters: NoInfer<I>,
    options?: RequestOptions,
  ) => Promise<Submitted<R>>
  /** Like `submit`, but a failure is a value. */
  readonly try: <I, R>(
    operation: OperationOf<I, R>,
    parameters: NoInfer<I>,
    options?: RequestOptions,
  ) => Promise<Tried<R>>
  /** Submits an activity, and waits until it is over: also for votes of others. Give it a signal, because nobody may ever vote. */
  readonly submitAndWait: <I, R>(
    operation: OperationOf<I, R>,
    parameters: NoInfer<I>,
    options?: WaitOptions,
  ) => Promise<Submitted<R>>
  /** Asks a query. The client adds the organization's id. */
  readonly query: <Request, Answer>(
    query: Query<string, Request, Answer>,
    request: Omit<NoInfer<Request>, 'organizationId'>,
    options?: { readonly signal?: AbortSignal },
  ) => Promise<Answer>
  /**
   * Approves an activity. If it does not show the request that its fingerprint stands for, nothing is sent, and the code is
   * `REQUEST_INVALID`: so nobody approves something else than what was shown.
   */
  readonly approve: (activity: Votable, options?: RequestOptions) => Promise<Submitted<unknown>>
  /** Rejects an activity, with the same check as `approve`. */
  readonly reject: (activity: Votable, options?: RequestOptions) => Promise<Submitted<unknown>>
}

export type ClientOptions = { readonly organizationId: string; readonly stamper: Stamper }

export const client = (transport: Transport, { organizationId, stamper }: ClientOptions): Client => {
  const own = organizationId.toLowerCase()
  const stampedRequest = (type: string, parameters: Json, options: RequestOptions): Promise<Stamped> => {
    const timestampMs = timeOf(transport, { ...options, stamper, request: { type, organizationId, parameters } })
    return stamped(stamper, { type, timestampMs: String(timestampMs), organizationId, parameters })
  }
  /** An erasure names the end of the log that its requester saw: what the server says it is, unless the caller knows it. */
  const withHead = async (given: Json, { signal, idempotencyKey }: RequestOptions): Promise<Json> => {
    const erasure = given as { readonly userId: string; readonly head?: Json } // those of an erasure
    if (erasure.head !== undefined) return given
    if (idempotencyKey !== undefined) throw new CountersignError(noHead)
    const { head } = await query(listPersonalPlaces, { userId: erasure.userId }, { ...(signal && { signal }) })
    return { ...erasure, head }
  }
  /** The request, and how to read the activity in each of its answers. */
  const prepared = async <I, R>(operation: OperationOf<I, R>, intent: I, options: RequestOptions) => {
    const { type, path, codecs } = operation
    const given = codecs.intent.encode(intent) as Json // intents are JSON on the wire
    const parameters = path === eraseUser.path ? await withHead(given, options) : given
    const request = await stampedRequest(type, parameters, options)
    const fingerprint = fingerprintOfBody(request.body)
    const echo = () => echoOf(operation, parameters)
    const shown = (activity: ActivityView): Submitted<R> =>
      submitted(operation, expected(activity, { organizationId: own, fingerprint, type, parameters, echo }))
    return { request, shown }
  }
  const submit: Client['submit'] = async (operation, parameters, options = {}) => {
    const { request, shown } = await prepared(operation, parameters, options)
    return sending(transport, operation.path, request, shown)(options)
  }
  const query: Client['query'] = async ({ path, codecs }, request, { signal } = {}) => {
    const body = { ...request, organizationId } as Json // requests are JSON on the wire
    const answer = orThrow(await transport.query(path, await stamped(stamper, body), signal))
    return read(codecs.answer, `answer of ${path}`, answer)
  }
  const vote =
    (path: string, type: string): Client['approve'] =>
    async (shown, options = {}) => {
      const expecting = typeof shown === 'string' ? shown : votable(shown, own)
      const fingerprint = typeof expecting === 'string' ? expecting : expecting.fingerprint
      const request = await stampedRequest(type, { fingerprint }, options)
      const voted = (activity: ActivityView): Submitted<unknown> =>
        submitted(
          undefined,
          typeof expecting === 'string'
            ? expectedByFingerprint(activity, { organizationId: own, fingerprint })
            : expected(activity, expecting),
        )
      return sending(transport, path, request, voted)(options)
    }
  /** Looks at an activity until it is over. */
  const over = async <R>(
    begun: Submitted<R>,
    shown: (activity: ActivityView) => Submitted<R>,
    { everyMs, signal }: WaitOptions,
  ): Promise<Submitted<R>> => {
    let now = begun
    for (let ms = everyMs ?? LOOK_AFTER_MS; !isOver(now.status); ms = everyMs ?? Math.min(2 * ms, LOOK_AFTER_MS_MAX)) {
      await transport.pause(ms, signal)
      if (signal?.aborted === true) throw new CountersignError(aborted, { cause: signal.reason })
      const { activity } = await query(getActivity, { activityId: now.activity.id }, { ...(signal && { signal }) })
      now = shown(readable(readActivity(activity)))
    }
    return now
  }
  return {
    organizationId,
    submit,
    try: (operation, parameters, options) => tried(submit(operation, parameters, options)),
    submitAndWait: async (operation, parameters, options = {}) => {
      const { request, shown } = await prepared(operation, parameters, options)
      const { everyMs } = options
      return sending(transport, operation.path, request, (activity, signal) =>
        over(shown(activity), shown, { ...(everyMs !== undefined && { everyMs }), ...(signal && { signal }) }),
      )(options)
    },
    query,
    approve: vote('approve_activity', 'ACTIVITY_TYPE_APPROVE_ACTIVITY'),
    reject: vote('reject_activity', 'ACTIVITY_TYPE_REJECT_ACTIVITY'),
  }
}

const LOOK_AFTER_MS = 100
const LOOK_AFTER_MS_MAX = 5_000

/** The parameters as the newest form of the operation writes them: its codec may change their spelling. */
const echoOf = <I, R>({ versions }: OperationOf<I, R>, parameters: Json): unknown => {
  const decoded = versions[0]?.decodeIntent(parameters)
  return decoded === undefined || E.isLeft(decoded) ? undefined : decoded.right.echo
}

const tried = async <R>(submitting: Promise<Submitted<R>>): Promise<Tried<R>> => {
  try {
    return { ok: true, ...(await submitting) }
  } catch (error) {
    const failure = failureOf(error)
    if (failure === undefined) throw error
    const { retry } = error as CountersignError // what has a failure is one
    if (retry === undefined) return { ok: false, failure }
    return { ok: false, failure, retry: (options) => tried(retry(options) as Promise<Submitted<R>>) } // of the same request
  }
}

const noHead = failure(
  'REQUEST_INVALID',
  'nothing was sent: with an idempotencyKey an erasure has to name its head, because the end of the log moves on',
)
