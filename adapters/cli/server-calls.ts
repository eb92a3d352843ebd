/* The calls of the inbox to a server, and those of an erasure. Only this file knows how they are stamped and sent. */
import * as t from 'io-ts'
import { encodeUtf8 } from '../../core/bytes.ts'
import { Uuid } from '../../core/codec/codec.ts'
import { ERASE_USER_TYPE } from '../../core/activity/erasure.ts'
import { Head } from '../../core/resources/erasure/erasing.ts'
import { FailureView } from '../../core/view/failure-view.ts'
import { readFailure } from '../../core/view/read-activity.ts'
import { readCaller } from '../credentials/credentials.ts'
import { ActivityAnswer, answerTo, inboxCalls, type Asking, type InboxCalls } from '../inbox/inbox-calls.ts'
import type { SeenActivity } from '../inbox/seen.ts'
import { stamp } from '../signatures/signer.ts'
import { callerFlags, sayCaller, type CallerOptions } from './caller.ts'
import { jsonIn, refusalText, send, urlOf } from './send.ts'
import { refusal, unusable } from './stop.ts'

export type CallOptions = CallerOptions

/** An event with data of a person, and the parts of it that an erasure would erase. */
const SeenPlace = t.type({
  sequence: t.string,
  activityId: Uuid,
  parts: t.readonlyArray(t.string),
})
export type SeenPlace = t.TypeOf<typeof SeenPlace>

/** Of whom, and which requests: `NAMING`, those that hold their data, or `MADE`, also those that they made. */
export type ToErase = { readonly userId: string; readonly requests: 'NAMING' | 'MADE' }

const SeenErasure = t.type({ erasedParts: t.number })
/** What an erasure has erased. */
export type SeenErasure = t.TypeOf<typeof SeenErasure>

/** A server, for the user of a credentials file. A refusal stops the command, as does an answer that cannot be read. */
export type ServerCalls = InboxCalls & {
  /** The flags with which a command for people to paste makes its calls to the same server as the same user. */
  readonly flags: string
  /** Says on standard error as whom the calls are made. */
  readonly sayCaller: () => void
  /** Where the log has data of a person; `after` is the `next` of the page before. */
  readonly personalPlaces: (
    toErase: ToErase & { readonly after?: string },
  ) => Promise<{ readonly places: readonly SeenPlace[]; readonly head: Head; readonly next: string | null }>
  readonly eraseUser: (toErase: ToErase & { readonly head: Head }) => Promise<SeenActivity>
}

/** @param signal  calls off the calls that are under way */
export const serverCalls = async (options: CallOptions, signal?: AbortSignal): Promise<ServerCalls> => {
  const { credentials, url } = options
  const caller = await readCaller(credentials)
  const { key, baseUrl, organizationId } = caller
  if (organizationId === undefined) throw unusable(`${credentials} has no organizationId`)

  const ask = async (path: string, members: object): Promise<unknown> => {
    const body = encodeUtf8(JSON.stringify({ organizationId, timestampMs: String(Date.now()), ...members }))
    const to = urlOf(`/public/v1/${path}`, url ?? baseUrl ?? undefined)
    const answered = await send(to, body, stamp(key, body), { timeoutMs: TIMEOUT_MS, signal })
    const answer = jsonIn(answered.text)
    if (answered.status < 200 || answered.status >= 300)
      throw refusal(isNoErasure(path, answer) ? NO_ERASURE : refusalText(path, answered))
    return answer
  }
  const asking: Asking = { organizationId, ask, wrong: refusal }

  return {
    ...inboxCalls(asking),
    flags: callerFlags(options),
    sayCaller: () => sayCaller(credentials, caller),
    personalPlaces: (wanted) => answerTo(asking, 'query/list_personal_places', wanted, PlacesAnswer),
    eraseUser: async (parameters) =>
      (await answerTo(asking, 'submit/erase_user', { type: ERASE_USER_TYPE, parameters }, ActivityAnswer)).activity,
  }
}

/** What an erasure that is completed has erased. */
export const erasureIn = (activity: SeenActivity): SeenErasure | undefined =>
  Completed.is(activity) ? activity.result.eraseUserResult : undefined

const Completed = t.type({ result: t.type({ eraseUserResult: SeenErasure }) })

const PlacesAnswer = t.type({
  places: t.readonlyArray(SeenPlace),
  head: Head,
  next: t.union([t.string, t.null]),
})

const TIMEOUT_MS = 10_000

const isNoErasure = (path: string, answer: unknown): boolean =>
  (path === 'query/list_personal_places' || path === 'submit/erase_user') &&
  FailureView.is(answer) &&
  readFailure(answer).code === 'ROUTE_NOT_FOUND'

const NO_ERASURE =
  'this server does not erase personal data: start it with countersign serve --erasure, or add erasure to its resources'
