import { failure } from '../../core/failure.ts'
import { E } from '../../core/prelude.ts'
import type { BodyReader, Exchange } from './exchange.ts'
import type { HeldBody } from './held-bodies.ts'
import type { HandlerSettings } from './options.ts'
import { errorReply, gone, type Reply } from './reply.ts'

/** Why a body is refused before a byte of it is read; `undefined` if it is not refused. */
export const refusalOfBody = (
  exchange: Pick<Exchange, 'header' | 'contentLength'>,
  { bodyBytesMax }: Pick<HandlerSettings, 'bodyBytesMax'>,
): Reply | undefined => {
  const expect = exchange.header('expect')
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    return errorReply(failure('UNSUPPORTED', 'the only expectation that can be met is 100-continue'), { status: 417 })
  // The stamp signs the bytes that arrive, so there must be no encoding of the body.
  const encoding = exchange.header('content-encoding')
  if (encoding !== undefined && encoding.trim() !== '' && encoding.trim().toLowerCase() !== 'identity')
    return errorReply(failure('UNSUPPORTED', 'the body must arrive without content encoding'), { status: 415 })
  return (exchange.contentLength() ?? 0) > bodyBytesMax ? tooLarge(bodyBytesMax) : undefined
}

/** Reads the body as it arrived, up to the limits of size, time and pieces. It ends early if the body has to give way. */
export const readBody = (
  exchange: Pick<Exchange, 'read' | 'stopReading'>,
  held: HeldBody,
  { bodyBytesMax, requestTimeoutMs }: Pick<HandlerSettings, 'bodyBytesMax' | 'requestTimeoutMs'>,
): Promise<E.Either<Reply, Uint8Array>> =>
  new Promise((resolve) => {
    const piecesMax = piecesMaxOf(bodyBytesMax)
    let length = 0
    let pieces = 0
    const settle = (outcome: E.Either<Reply, Uint8Array>): void => {
      clearTimeout(timer)
      exchange.stopReading(reader)
      resolve(outcome)
    }
    const reader: BodyReader = {
      take: (piece) => {
        length += piece.length
        pieces += 1
        if (length > bodyBytesMax) settle(E.left(tooLarge(bodyBytesMax)))
        else if (pieces > piecesMax) settle(E.left(tooManyPieces(piecesMax)))
        else if (!held.append(piece)) settle(E.left(tooManyBytes))
      },
      finish: () => settle(E.right(held.bytes())),
      abort: () => settle(E.left(gone)),
    }
    const timer = setTimeout(() => settle(E.left(tooSlow)), requestTimeoutMs)
    held.giveWay = () => settle(E.left(tooManyBytes))
    exchange.read(reader)
  })

/** Takes a body that somebody else has read, up to the same limits. */
export const takeBody = (
  body: Uint8Array,
  held: HeldBody,
  { bodyBytesMax }: Pick<HandlerSettings, 'bodyBytesMax'>,
): E.Either<Reply, Uint8Array> => {
  if (body.length > bodyBytesMax) return E.left(tooLarge(bodyBytesMax))
  return held.append(body) ? E.right(held.bytes()) : E.left(tooManyBytes)
}

/**
 * The most pieces in which a body may arrive. A chunk of one byte costs the parser as much as one of 64 KiB, and a client has no reason to
 * send a long body in such chunks. The pieces of `pacedReading` have at least 64 bytes.
 */
const piecesMaxOf = (bodyBytesMax: number): number => Math.max(1024, Math.ceil(bodyBytesMax / 32))

/** The request did not arrive in time. */
export const tooSlow = errorReply(failure('ABORTED', 'the request took too long to arrive'), {
  status: 408,
  closes: true,
})

/** The reply to a body that gives way: its bytes are dropped, and the rest is not read. */
export const tooManyBytes = errorReply(failure('RATE_LIMIT_EXCEEDED', 'too many bytes of bodies at once; try again'), {
  closes: true,
})

/** The reply if somebody else has read the body and dropped its bytes: the stamp cannot be verified without them. */
export const bodyLost = errorReply(
  failure(
    'CONFIGURATION_INVALID',
    'the server read the body of the request too early: it has to mount Countersign before body parsers',
  ),
)

const tooManyPieces = (piecesMax: number): Reply =>
  errorReply(failure('REQUEST_TOO_LARGE', `the body must arrive in at most ${piecesMax} pieces`), { closes: true })

const tooLarge = (bodyBytesMax: number): Reply =>
  errorReply(failure('REQUEST_TOO_LARGE', `the body must have at most ${bodyBytesMax} bytes`), { closes: true })
