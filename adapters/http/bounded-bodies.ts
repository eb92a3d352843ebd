import { parseAhead, requestJson } from '../../core/json/strict-json.ts'
import { once } from '../../core/collections/once.ts'
import { slices } from '../../core/collections/slices.ts'
import { failure } from '../../core/failure.ts'
import { E } from '../../core/prelude.ts'
import type { Notice, TellNotice } from '../../core/ports/notice.ts'
import { bodyLost, readBody, refusalOfBody, takeBody, tooManyBytes } from './body.ts'
import { clientAddress } from './client-address.ts'
import type { Exchange, Platform } from './exchange.ts'
import { HeldBodies, SMALL_BODY, type HeldBody } from './held-bodies.ts'
import type { HandlerSettings } from './options.ts'
import { asBytes, errorReply, gone, longBytesOf, type Reply } from './reply.ts'
import { sharedRoom } from './shared-room.ts'
import { unreadAnswers } from './unread-answers.ts'

/** A request whose body has arrived, and the address of its caller; null if nobody knows it. */
export type Received = { readonly body: Uint8Array; readonly address: string | null }

/**
 * Answers a received request. It may be called again with the same request, if there was no room for its answer: it has to give the same
 * effect and answer then.
 */
export type AnswerReceived = (received: Received) => Promise<Reply>

/**
 * Reads bodies, and bounds the memory that all requests take together, with their answers (docs/decisions/what-callers-hold.md). The body of a
 * request is parsed when it is answered, as far as its syntax goes.
 */
export const boundedBodies = (settings: HandlerSettings, platform: Platform) => {
  const addressOf = clientAddress(settings.trustedProxies)
  const bodies = new HeldBodies(settings.bodyBytesHeldMax)
  const answers = unreadAnswers(settings)
  const inTurn = bounding(settings, platform)
  const tellLost = once(() => tellQuietly(settings.onNotice))

  /**
   * The reply, if there is room for it; otherwise the number of its bytes. A reply without room is dropped, because many waiting replies
   * would fill the memory.
   */
  const fitting = (exchange: Exchange, reply: Reply): E.Either<number, Reply> => {
    const bytes = longBytesOf(reply, platform)
    return bytes === 0 || answers.take(exchange, bytes) ? E.right(asBytes(reply, platform)) : E.left(bytes)
  }

  return async (exchange: Exchange, answer: AnswerReceived): Promise<Reply> => {
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
      const received = { body: body.right, address }
      for (;;) {
        const reply = fitting(exchange, await inTurn(exchange, received, held, answer))
        if (E.isRight(reply)) return reply.right
        if (!(await answers.wait(exchange, address ?? '', reply.left))) return gone
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

const tellQuietly = (onNotice: TellNotice): void => {
  try {
    onNotice(MOUNTED_TOO_LATE)
  } catch {
    // The caller gets the reply in any case.
  }
}

/** Bounds how many requests are answered at once, and the bytes of their bodies. */
const bounding = (settings: HandlerSettings, { nextTurn }: Platform) => {
  const room = sharedRoom(settings.bodyBytesInFlightMax)
  const parsing = slices(nextTurn)
  let inFlight = 0

  return async (exchange: Exchange, received: Received, held: HeldBody, answer: AnswerReceived): Promise<Reply> => {
    const { body, address } = received
    const bytes = body.length > SMALL_BODY ? body.length : 0
    const leave = bytes > 0 ? await room.enter(address ?? '', bytes, exchange) : notCounted
    if (leave === undefined) return gone
    const isFull = inFlight >= settings.requestsInFlightMax
    inFlight += 1
    exchange.isInEngine = true
    held.keep()
    try {
      if (isFull) return tooManyRequests
      if (bytes > 0) await parseAhead(body, parsing, requestJson)
      return await answer(received)
    } finally {
      exchange.isInEngine = false
      held.offer()
      inFlight -= 1
      leave()
    }
  }
}

const notCounted = (): void => undefined

const tooManyRequests = errorReply(failure('RATE_LIMIT_EXCEEDED', 'too many requests at once; try again'))
