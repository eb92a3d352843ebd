import type { CommandOptions, Engine, SubmitOptions } from '../../core/engine.ts'
import { failure } from '../../core/failure.ts'
import { parseAhead, requestJson } from '../../core/json/strict-json.ts'
import { E, pipe, TE } from '../../core/prelude.ts'
import type { Notice } from '../../core/ports/notice.ts'
import type { Request } from '../../core/request.ts'
import { slices } from '../../core/collections/slices.ts'
import { bodyLost, readBody, refusalOfBody, takeBody, tooManyBytes } from './body.ts'
import { clientAddress } from './client-address.ts'
import type { Exchange, Platform } from './exchange.ts'
import { HeldBodies, SMALL_BODY, type HeldBody } from './held-bodies.ts'
import type { HandlerSettings } from './options.ts'
import { asBytes, errorReply, gone, jsonReply, longBytesOf, type Reply } from './reply.ts'
import type { PublicRoute } from './route.ts'
import { sharedRoom } from './shared-room.ts'
import { submitEnvelope } from './submit-envelope.ts'
import { unreadAnswers } from './unread-answers.ts'
import { wireAnswers, type Timestamps } from './wire-activity.ts'

/**
 * Answers submits and queries: reads the body, asks the engine, and bounds the memory that all requests take together
 * (docs/decisions/what-callers-hold.md).
 */
export const publicApi = (engine: Engine, settings: HandlerSettings, platform: Platform) => {
  const addressOf = clientAddress(settings.trustedProxies)
  const bodies = new HeldBodies(settings.bodyBytesHeldMax)
  const answers = unreadAnswers(settings)
  const ask = asking(engine, settings, platform)
  const tellLost = once(() => settings.onNotice(MOUNTED_TOO_LATE))

  /**
   * The reply, if there is room for it; otherwise the number of its bytes. A reply without room is dropped, because many waiting replies
   * would fill the memory. The engine can get the request again: the same request has the same effect and answer.
   */
  const fitting = (exchange: Exchange, reply: Reply): E.Either<number, Reply> => {
    const bytes = longBytesOf(reply, platform)
    return bytes === 0 || answers.take(exchange, bytes) ? E.right(asBytes(reply, platform)) : E.left(bytes)
  }

  return async (route: PublicRoute, exchange: Exchange): Promise<Reply> => {
    const refusal = refusalOfBody(exchange, settings)
    if (refusal !== undefined) return refusal
    const before = exchange.bodyReadBefore()
    if (before === 'lost') {
      tellLost()
      return bodyLost
    }
    exchange.beginBody()
    const held = bodies.begin(before?.length ?? exchange.contentLength() ?? settings.bodyBytesMax)
    try {
      const body = before === undefined ? await readBody(exchange, held, settings) : takeBody(before, held, settings)
      if (E.isLeft(body)) return body.left
      held.giveWay = () => void exchange.send(tooManyBytes)
      const address = addressOf(exchange.connectedAddress(), exchange.header('x-forwarded-for'))
      const request: Request = { headers: exchange.stamps(), body: body.right, address }
      for (;;) {
        const answer = fitting(exchange, await ask(route, exchange, request, held))
        if (E.isRight(answer)) return answer.right
        if (!(await answers.wait(exchange, address ?? '', answer.left))) return gone
      }
    } finally {
      held.release()
    }
  }
}

const MOUNTED_TOO_LATE: Notice = {
  level: 'error',
  message:
    'requests of the public API are answered with 500, because their bodies were read before: mount before body parsers ' +
    '(docs/how-to/mount.md)',
}

/** Calls the function once, and ignores its errors: there is nobody else to tell. */
const once = (call: () => void): (() => void) => {
  let isCalled = false
  return () => {
    if (isCalled) return
    isCalled = true
    try {
      call()
    } catch {
      // The caller gets the reply in any case.
    }
  }
}

type Ask = (route: PublicRoute, exchange: Exchange, request: Request, held: HeldBody) => Promise<Reply>

const asking = (engine: Engine, settings: HandlerSettings, { nextTurn }: Platform): Ask => {
  const inEngine = sharedRoom(settings.bodyBytesInFlightMax)
  const query = querying(engine)
  const parsing = slices(nextTurn)
  const { waitForTurnMaxMs } = settings
  let inFlight = 0

  return async (route, exchange, request, held) => {
    const { body, address } = request
    const { requestId } = exchange
    const bytes = body.length > SMALL_BODY ? body.length : 0
    const leave = bytes > 0 ? await inEngine.enter(address ?? '', bytes, exchange) : notCounted
    if (leave === undefined) return gone
    const isFull = inFlight >= settings.requestsInFlightMax
    inFlight += 1
    exchange.isInEngine = true
    held.keep()
    try {
      if (isFull) return tooManyRequests
      if (bytes > 0) await parseAhead(body, parsing, requestJson)
      return await (route.kind === 'submit'
        ? submit(engine, route.operation, request, { waitForTurnMaxMs, requestId })
        : query(route.operation, request, timestampsFor(exchange, settings), { requestId }))
    } finally {
      exchange.isInEngine = false
      held.offer()
      inFlight -= 1
      leave()
    }
  }
}

const notCounted = (): void => undefined

const submit = (engine: Engine, operation: string, request: Request, options: SubmitOptions): Promise<Reply> =>
  pipe(
    engine.submit(operation, request, options),
    TE.match(errorReply, (view) => jsonReply(submitEnvelope(view))),
  )()

const querying = (engine: Engine) => {
  const wireAnswer = wireAnswers(engine.queries)
  return (operation: string, request: Request, timestamps: Timestamps, options: CommandOptions): Promise<Reply> =>
    pipe(
      engine.query(operation, request, options),
      TE.match(errorReply, (answer) => jsonReply(JSON.stringify(wireAnswer(operation, answer, timestamps)))),
    )()
}

/** Clients that send one of these headers can read only `{seconds, nanos}`; all others get the form of the specification. */
const timestampsFor = (exchange: Exchange, { activityTimestamps }: HandlerSettings): Timestamps =>
  exchange.header('x-client-version') !== undefined || exchange.header('user-agent')?.startsWith('turnkey-') === true
    ? 'object'
    : activityTimestamps

const tooManyRequests = errorReply(failure('RATE_LIMIT_EXCEEDED', 'too many requests at once; try again'))
