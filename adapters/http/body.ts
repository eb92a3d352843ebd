import type { IncomingMessage } from 'node:http'
import { failure } from '../../core/failure.ts'
import { E } from '../../core/prelude.ts'
import type { HeldBody } from './held-bodies.ts'
import type { HandlerSettings } from './options.ts'
import { errorReply, gone, type Reply } from './reply.ts'

/** Why a body is refused before a byte of it is read; `undefined` where it is not. */
export const refusalOfBody = (
  { headers }: IncomingMessage,
  { bodyBytesMax }: Pick<HandlerSettings, 'bodyBytesMax'>,
): Reply | undefined => {
  const { expect, 'content-encoding': encoding } = headers
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    return errorReply(failure('UNSUPPORTED', 'the only expectation that can be met is 100-continue'), { status: 417 })
  // What was signed are the bytes that arrive: nothing may stand between.
  if (encoding !== undefined && encoding.trim() !== '' && encoding.trim().toLowerCase() !== 'identity')
    return errorReply(failure('UNSUPPORTED', 'the body must arrive without content encoding'), { status: 415 })
  return isTooLong(headers['content-length'], bodyBytesMax) ? tooLarge(bodyBytesMax) : undefined
}

/** Whether what is left of a request is worth reading for the sake of its connection: it is known, and not much. */
export const isDrainable = (
  { headers, complete }: IncomingMessage,
  { bodyBytesMax }: Pick<HandlerSettings, 'bodyBytesMax'>,
): boolean =>
  complete ||
  (headers.expect === undefined &&
    headers['transfer-encoding'] === undefined &&
    !isTooLong(headers['content-length'], bodyBytesMax))

/** Reads the body as it arrived, up to the limits of size, time and pieces. It ends early where the body has to give way. */
export const readBody = (
  request: IncomingMessage,
  held: HeldBody,
  { bodyBytesMax, requestTimeoutMs }: Pick<HandlerSettings, 'bodyBytesMax' | 'requestTimeoutMs'>,
): Promise<E.Either<Reply, Uint8Array>> =>
  new Promise((resolve) => {
    const piecesMax = piecesMaxOf(bodyBytesMax)
    let length = 0
    let pieces = 0
    const settle = (outcome: E.Either<Reply, Uint8Array>): void => {
      clearTimeout(timer)
      request.off('data', take).off('end', finish).off('close', abort)
      resolve(outcome)
    }
    const take = (piece: Buffer): void => {
      length += piece.length
      pieces += 1
      if (length > bodyBytesMax) settle(E.left(tooLarge(bodyBytesMax)))
      else if (pieces > piecesMax) settle(E.left(tooManyPieces(piecesMax)))
      else if (!held.append(piece)) settle(E.left(tooManyBytes))
    }
    const finish = (): void => settle(E.right(held.bytes()))
    const abort = (): void => settle(E.left(gone))
    const timer = setTimeout(() => settle(E.left(tooSlow)), requestTimeoutMs)
    held.giveWay = () => settle(E.left(tooManyBytes))
    // A caller who goes away makes the request fail, too; `close` says it in any case.
    request.on('error', () => undefined)
    request.on('data', take).on('end', finish).on('close', abort)
  })

/** How many bytes the body has at most. */
export const bodyLengthMax = (
  { headers }: IncomingMessage,
  { bodyBytesMax }: Pick<HandlerSettings, 'bodyBytesMax'>,
): number => (headers['content-length'] === undefined ? bodyBytesMax : Number(headers['content-length']))

/**
 * In how many pieces a body may arrive. A chunk of one byte costs the parser as much as one of 64 KiB, and a client has no
 * reason to send a long body in such chunks. What `pacedReading` cuts has 64 bytes at least.
 */
const piecesMaxOf = (bodyBytesMax: number): number => Math.max(1024, Math.ceil(bodyBytesMax / 32))

/** The request did not arrive in time. */
export const tooSlow = errorReply(failure('ABORTED', 'the request took too long to arrive'), {
  status: 408,
  closes: true,
})

/** Nothing of its body is kept, or read any further. */
export const tooManyBytes = errorReply(failure('RATE_LIMIT_EXCEEDED', 'too many bytes of bodies at once; try again'), {
  closes: true,
})

const tooManyPieces = (piecesMax: number): Reply =>
  errorReply(failure('REQUEST_TOO_LARGE', `the body must arrive in at most ${piecesMax} pieces`), { closes: true })

const tooLarge = (bodyBytesMax: number): Reply =>
  errorReply(failure('REQUEST_TOO_LARGE', `the body must have at most ${bodyBytesMax} bytes`), { closes: true })

const isTooLong = (contentLength: string | undefined, bodyBytesMax: number): boolean =>
  contentLength !== undefined && Number(contentLength) > bodyBytesMax
