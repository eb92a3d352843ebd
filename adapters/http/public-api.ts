import type { IncomingMessage } from 'node:http'
import type { Engine } from '../../core/engine.ts'
import { failure } from '../../core/failure.ts'
import { parseAhead, requestJson } from '../../core/json/strict-json.ts'
import { E, pipe, TE } from '../../core/prelude.ts'
import type { Timestamps } from '../../core/query/query.ts'
import type { Request } from '../../core/request.ts'
import { slices } from '../../core/slices.ts'
import { bodyLengthMax, readBody, refusalOfBody, tooManyBytes } from './body.ts'
import { clientAddress } from './client-address.ts'
import type { Exchange } from './exchange.ts'
import { HeldBodies, SMALL_BODY, type HeldBody } from './held-bodies.ts'
import type { HandlerSettings } from './options.ts'
import { asBytes, errorReply, gone, jsonReply, longBytesOf, send, type Reply } from './reply.ts'
import type { Route } from './route.ts'
import { sharedRoom } from './shared-room.ts'
import { submitEnvelope } from './submit-envelope.ts'
import { unreadAnswers } from './unread-answers.ts'

export type PublicRoute = Extract<Route, { readonly operation: string }>

/**
 * Answers submits and queries: reads the body, asks the engine, and bounds the memory that all requests take together
 * (docs/decisions/016-what-one-caller-may-hold.md).
 */
export const publicApi = (engine: Engine, settings: HandlerSettings) => {
  const addressOf = clientAddress(settings.trustedProxies)
  const bodies = new HeldBodies(settings.bodyBytesHeldMax)
  const answers = unreadAnswers(settings)
  const ask = asking(engine, settings)

  /**
   * The reply, if there is room for it; else how many bytes it takes. A reply without room is dropped, because many replies
   * that wait would fill the memory. The engine can be asked again: the same request has the same effect and answer.
   */
  const fitting = (exchange: Exchange, reply: Reply): E.Either<number, Reply> => {
    const bytes = longBytesOf(reply)
    return bytes === 0 || answers.take(exchange, bytes) ? E.right(asBytes(reply)) : E.left(bytes)
  }

  return async (route: PublicRoute, exchange: Exchange): Promise<Reply> => {
    const { request } = exchange
    const refusal = refusalOfBody(request, settings)
    if (refusal !== undefined) return refusal
    exchange.beginBody?.()
    const held = bodies.begin(bodyLengthMax(request, settings))
    try {
      const body = await readBody(request, held, settings)
      if (E.isLeft(body)) return body.left
      held.giveWay = () => void send(exchange, tooManyBytes)
      const address = addressOf(request.socket.remoteAddress, request.headers['x-forwarded-for']?.toString())
      const asked: Request = { headers: stampHeaders(request.rawHeaders), body: body.right, address }
      for (;;) {
        const answer = fitting(exchange, await ask(route, exchange, asked, held))
        if (E.isRight(answer)) return answer.right
        if (!(await answers.wait(exchange, address ?? '', answer.left))) return gone
      }
    } finally {
      held.release()
    }
  }
}

type Ask = (route: PublicRoute, exchange: Exchange, asked: Request, held: HeldBody) => Promise<Reply>

const asking = (engine: Engine, settings: HandlerSettings): Ask => {
  const inEngine = sharedRoom(settings.bodyBytesInFlightMax)
  const parsing = slices(() => new Promise((resolve) => setImmediate(resolve)))
  let inFlight = 0

  return async (route, exchange, asked, held) => {
    const { body, address } = asked
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
        ? submit(engine, route.operation, asked)
        : query(engine, route.operation, asked, timestampsFor(exchange.request, settings)))
    } finally {
      exchange.isInEngine = false
      held.offer()
      inFlight -= 1
      leave()
    }
  }
}

const notCounted = (): void => undefined

const submit = (engine: Engine, operation: string, asked: Request): Promise<Reply> =>
  pipe(
    engine.submit(operation, asked),
    TE.match(errorReply, (view) => jsonReply(submitEnvelope(view))),
  )()

const query = (engine: Engine, operation: string, asked: Request, timestamps: Timestamps): Promise<Reply> =>
  pipe(
    engine.query(operation, asked, timestamps),
    TE.match(errorReply, (answer) => jsonReply(JSON.stringify(answer))),
  )()

/** The headers that carry a stamp, all of them: that one was sent twice is for the engine to refuse. */
const stampHeaders = (rawHeaders: readonly string[]): Request['headers'] => {
  const found: { [name: string]: string | string[] } = {}
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? ''
    if (!STAMP_HEADERS.has(name)) continue
    const value = rawHeaders[at + 1] ?? ''
    const before = found[name]
    if (before === undefined) found[name] = value
    else if (typeof before === 'string') found[name] = [before, value]
    else before.push(value) // there can be 1,600 of them: to copy them for each one more took 140 ms
  }
  return found
}

const STAMP_HEADERS = new Set(['x-stamp', 'x-stamp-webauthn', 'x-stamp-attested', 'x-session'])

/** Clients that send one of these read `{seconds, nanos}` and nothing else; all others get what the specification says. */
const timestampsFor = ({ headers }: IncomingMessage, { activityTimestamps }: HandlerSettings): Timestamps =>
  headers['x-client-version'] !== undefined || headers['user-agent']?.startsWith('turnkey-') === true
    ? 'object'
    : activityTimestamps

const tooManyRequests = errorReply(failure('RATE_LIMIT_EXCEEDED', 'too many requests at once; try again'))
