import type * as t from 'io-ts'
import { decode } from '../codec/codec.ts'
import { CountersignError, failureOf, orThrow } from '../countersign-error.ts'
import type { Operation } from '../definition/operation.ts'
import type { Query } from '../definition/query.ts'
import type { Failure, Json } from '../failure.ts'
import type { Status } from '../log/standing.ts'
import { E } from '../prelude.ts'
import { eraseUser } from '../resources/erasure/erase-user.ts'
import { listPersonalPlaces } from '../resources/erasure/list-personal-places.ts'
import { getActivity } from '../resources/activity/get-activity.ts'
import type { ActivityView } from '../view/activity-view.ts'
import { readActivity } from '../view/read-activity.ts'
import { fingerprintOfBody, type ShownByServer } from '../view/shown-request.ts'
import { expected, expectedByFingerprint, votable, type Expected } from './check-answer.ts'
import { aborted, stamped, type Stamper, type Transport } from './transport.ts'

/** An activity as its caller gets it, with the result of its operation. */
export type Submitted<R> =
  | {
      readonly status: 'completed'
      readonly activity: ActivityView
      /** The result. If the operation has `encodeResult`: what that writes. */
      readonly result: R
    }
  | {
      readonly status: 'failed'
      readonly activity: ActivityView
      readonly failure: Failure
      readonly result?: undefined
    }
  | {
      /** `consensus-needed` waits for votes; `pending` waits for work outside. */
      readonly status: 'consensus-needed' | 'pending' | 'rejected' | 'authenticators-needed'
      readonly activity: ActivityView
      readonly result?: undefined
    }

/** What `try` gives: a failure is a value. */
export type Tried<R> = ({ readonly ok: true } & Submitted<R>) | { readonly ok: false; readonly failure: Failure }

export type RequestOptions = {
  /** Stops waiting. What is stored by then stays. */
  readonly signal?: AbortSignal
  /**
   * The time of the request, in milliseconds since the epoch. The same parameters with the same time are the same activity, however
   * often they are submitted: a host that must not do something twice keeps the time before it submits. Default: now; two requests of a
   * client never have the same time.
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
  const send = async (
    path: string,
    type: string,
    parameters: Json,
    { timestampMs = transport.nextMs(), signal }: RequestOptions,
  ): Promise<{ readonly body: Uint8Array; readonly activity: ActivityView }> => {
    const request = await stamped(stamper, { type, timestampMs: String(timestampMs), organizationId, parameters })
    return { body: request.body, activity: orThrow(await transport.submit(path, request, signal)) }
  }
  /** An erasure names the end of the log that its requester saw: what the server says it is, unless the caller knows it. */
  const withHead = async (given: Json, { signal }: RequestOptions): Promise<Json> => {
    const erasure = given as { readonly userId: string; readonly head?: Json } // those of an erasure
    if (erasure.head !== undefined) return given
    const { head } = await query(listPersonalPlaces, { userId: erasure.userId }, { ...(signal && { signal }) })
    return { ...erasure, head }
  }
  /** Submits, and gives the answer with what every later answer has to show, too. */
  const begin = async <I, R>(operation: OperationOf<I, R>, intent: I, options: RequestOptions) => {
    const { type, path, codecs } = operation
    const given = codecs.intent.encode(intent) as Json // intents are JSON on the wire
    const parameters = path === eraseUser.path ? await withHead(given, options) : given
    const { body, activity } = await send(path, type, parameters, options)
    const echo = () => echoOf(operation, parameters)
    const expecting: Expected = { organizationId: own, fingerprint: fingerprintOfBody(body), type, parameters, echo }
    return { expecting, now: submitted(operation, expected(activity, expecting)) }
  }
  const submit: Client['submit'] = async (operation, parameters, options = {}) =>
    (await begin(operation, parameters, options)).now
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
      const { activity } = await send(path, type, { fingerprint }, options)
      const voted =
        typeof expecting === 'string'
          ? expectedByFingerprint(activity, { organizationId: own, fingerprint })
          : expected(activity, expecting)
      return submitted(undefined, voted)
    }
  return {
    organizationId,
    submit,
    try: (operation, parameters, options) => tried(submit(operation, parameters, options)),
    submitAndWait: async (operation, parameters, options = {}) => {
      const { signal, everyMs } = options
      const begun = await begin(operation, parameters, options)
      let { now } = begun
      for (
        let ms = everyMs ?? LOOK_AFTER_MS;
        !isOver(now.status);
        ms = everyMs ?? Math.min(2 * ms, LOOK_AFTER_MS_MAX)
      ) {
        await transport.pause(ms, signal)
        if (signal?.aborted === true) throw new CountersignError(aborted, { cause: signal.reason })
        const { activity } = await query(getActivity, { activityId: now.activity.id }, options)
        now = submitted(operation, expected(readable(readActivity(activity)), begun.expecting))
      }
      return now
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
    return { ok: false, failure }
  }
}

const names: { readonly [S in Status]: Submitted<unknown>['status'] } = {
  ACTIVITY_STATUS_COMPLETED: 'completed',
  ACTIVITY_STATUS_FAILED: 'failed',
  ACTIVITY_STATUS_REJECTED: 'rejected',
  ACTIVITY_STATUS_CONSENSUS_NEEDED: 'consensus-needed',
  ACTIVITY_STATUS_PENDING: 'pending',
  ACTIVITY_STATUS_AUTHENTICATORS_NEEDED: 'authenticators-needed',
}

const isOver = (status: Submitted<unknown>['status']): boolean =>
  status === 'completed' || status === 'failed' || status === 'rejected'

const submitted = <I, R>(operation: OperationOf<I, R> | undefined, activity: ActivityView): Submitted<R> => {
  const status = names[activity.status]
  if (status === 'completed') return { status, activity, result: resultOf(operation, activity) }
  if (status === 'failed') return { status, activity, failure: activity.failure ?? unknownFailure }
  return { status, activity }
}

/** The result of a completed activity is its only member. */
const resultOf = <I, R>(operation: OperationOf<I, R> | undefined, { result }: ActivityView): R => {
  const [written] = Object.values(result)
  const [newest] = operation?.versions ?? []
  if (operation === undefined || newest?.isPlainResult !== true) return written as R // it is unknown, or the host's own form
  return read(operation.codecs.result, `result of ${operation.type}`, written) as R // the codec of the operation
}

const read = <A>(codec: t.Decoder<unknown, A>, what: string, json: unknown): A => readable(decode(codec, what)(json))

/** What a server of another version wrote may be unreadable. It was done all the same. */
const readable = <A>(outcome: E.Either<Failure, A>): A =>
  orThrow(
    E.mapLeft(({ message }: Failure): Failure => ({ code: 'INTERNAL', message: `unexpected answer: ${message}` }))(
      outcome,
    ),
  )

const unknownFailure: Failure = { code: 'INTERNAL', message: 'the failure was not told' }
